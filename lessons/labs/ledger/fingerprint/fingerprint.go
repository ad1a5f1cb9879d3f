// Package fingerprint makes the short text by which two inputs of an operation are compared. It knows no
// database.
package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"

	"github.com/gowebpki/jcs"
)

// ErrInput is what is wrong with an input that has no fingerprint.
var ErrInput = errors.New("input refused")

// Normalise writes JSON in the one form that RFC 8785 defines, so that two texts which say the same
// become the same text:
//
//   - the order of an object's names, white space, and how a character is written ("A" or "\u0041") make
//     no difference, nor does how a number is written (1, 1.0, 1e0);
//   - the order of an array makes one, and so do null against an absent name, a number against a string
//     of its digits, and two ways to compose the same accented letter.
//
// An object with a name twice is refused, as readers disagree about which one counts. A number with more
// digits than a float64 keeps is refused, too: the form would round it, and two different numbers would
// become one. Such numbers belong in strings.
func Normalise(input []byte) ([]byte, error) {
	if err := exactNumbers(input); err != nil {
		return nil, err
	}
	normal, err := jcs.Transform(input)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return normal, nil
}

// Of is the fingerprint of an input that was normalised: short, and another one for any other input.
func Of(normal []byte) string {
	sum := sha256.Sum256(normal)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func exactNumbers(input []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: it is no JSON: %w", ErrInput, err)
		}
		if number, is := token.(json.Number); is && !exact(number.String()) {
			return fmt.Errorf("%w: the number %s has more digits or a larger exponent than a float64 keeps; write it as a string", ErrInput, number)
		}
	}
}

// exact says whether a number survives being read as a float64 and written again.
func exact(written string) bool {
	float, err := strconv.ParseFloat(written, 64)
	if err != nil {
		return false
	}
	if float == 0 {
		mantissa, _, _ := bytes.Cut(bytes.ToLower([]byte(written)), []byte("e"))
		return !bytes.ContainsAny(mantissa, "123456789")
	}
	// The exponent is bounded now, and the exact fraction of what was written is no trouble.
	before, read := new(big.Rat).SetString(written)
	after, readBack := new(big.Rat).SetString(strconv.FormatFloat(float, 'e', -1, 64))
	return read && readBack && before.Cmp(after) == 0
}
