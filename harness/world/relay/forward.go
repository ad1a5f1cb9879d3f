package relay

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httputil"
)

// rewrite points a request at the server and adds nothing of ours: the server
// is to see what the client sent.
func (r *Relay) rewrite(p *httputil.ProxyRequest) {
	p.SetURL(r.target)
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if v, ok := p.In.Header[name]; ok {
			p.Out.Header[name] = v // the proxy drops what a client claims here
		}
	}
}

// outbound is the request as the server is to get it, its body read in full so
// that it can be sent in one piece.
func (r *Relay) outbound(req *http.Request) (*http.Request, error) {
	body, err := readAll(req.Body)
	if err != nil {
		return nil, fmt.Errorf("read the client's request: %w", err)
	}
	to := *req.URL
	to.Scheme, to.Host = r.target.Scheme, r.target.Host
	out, err := http.NewRequestWithContext(r.life, req.Method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("prepare the request for the server: %w", err)
	}
	out.Header = req.Header.Clone()
	for _, hop := range []string{"Connection", "Keep-Alive", "Expect", "Te", "Upgrade"} {
		out.Header.Del(hop) // these speak to us, not to the server
	}
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header.Set("User-Agent", "") // or net/http would add its own
	}
	return out, nil
}
