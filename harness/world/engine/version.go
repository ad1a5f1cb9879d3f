package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is what a server says it is. Server tells Redis from what only imitates it.
type Version struct {
	Server              string
	Major, Minor, Patch int
}

const (
	serverRedis     = "Redis"
	serverMiniredis = "miniredis"
)

// ParseVersion reads what INFO calls redis_version, such as 7.0.15. A suffix such as -rc1 is
// dropped, and a missing patch number is 0.
func ParseVersion(s string) (Version, error) {
	numbers, _, _ := strings.Cut(s, "-")
	parts := strings.Split(numbers, ".")
	if len(parts) != 2 && len(parts) != 3 {
		return Version{}, badVersion(s)
	}
	v := Version{Server: serverRedis}
	for i, field := range []*int{&v.Major, &v.Minor, &v.Patch}[:len(parts)] {
		number, err := strconv.ParseUint(parts[i], 10, 31)
		if err != nil {
			return Version{}, badVersion(s)
		}
		*field = int(number)
	}
	return v, nil
}

func badVersion(s string) error {
	return fmt.Errorf("server version %q is not major.minor or major.minor.patch", s)
}

// AtLeast says whether this is Redis major.minor or newer. miniredis never is: its version numbers
// count something else.
func (v Version) AtLeast(major, minor int) bool {
	if v.Server != serverRedis {
		return false
	}
	return v.Major > major || v.Major == major && v.Minor >= minor
}

func (v Version) String() string {
	if v.Major == 0 && v.Minor == 0 && v.Patch == 0 {
		return v.Server
	}
	numbers := fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
	if v.Server == serverMiniredis {
		numbers = "v" + numbers // as its module is tagged
	}
	return v.Server + " " + numbers
}
