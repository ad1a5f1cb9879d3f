package law

import "net/http"

// Handle is Remove as HTTP's DELETE tells it. The second time has another answer and the same
// effect, and the law is about the effect.
func Handle(b Blog, id string) (after Blog, status int) {
	if _, exists := b.Articles[id]; !exists {
		return b, http.StatusNotFound
	}
	return Remove(id)(b), http.StatusNoContent
}
