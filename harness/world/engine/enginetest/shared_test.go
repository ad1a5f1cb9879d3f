package enginetest_test

import (
	"testing"

	"example.com/importer/harness/world/engine/enginetest"
)

// Main closes what these tests share, and fails if it does not go away.
func TestMain(m *testing.M) { enginetest.Main(m) }

func TestSharedIsOne(t *testing.T) {
	first := enginetest.Shared(t)
	t.Run("another test", func(t *testing.T) {
		if enginetest.Shared(t) != first {
			t.Error("a second engine was started")
		}
	})
}

func TestDatabases(t *testing.T) {
	mine, other := enginetest.Database(t), enginetest.Database(t)
	if err := mine.Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := other.DBSize(t.Context()).Result(); n != 0 || err != nil {
		t.Errorf("another database holds %d keys, error %v", n, err)
	}
}
