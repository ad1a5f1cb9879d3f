package dataset

import (
	"fmt"
	"math/rand/v2"
)

// Titles that a careless reader, writer or script would damage.
var titles = []string{
	`Lamp, "small"`, "Лампа настольная", "ノート", "Crème brûlée / 2 pcs", "Γραφίδα", "Tea & <b>milk</b>",
	`Back\slash`, "Emoji 🧰 box", "{json:[1,2]}", "O'Neil's %d pens", "قلم", "nbsp and—dash",
}

// Seeded makes data from a seed: other products, other numbers. A program with
// the lesson's numbers written into it fails on it, and the same seed gives the
// same data again.
func Seeded(seed uint64) Data {
	r := rand.New(rand.NewPCG(seed, 0x1390))
	count := 3 + r.IntN(3)
	order := r.Perm(len(titles))
	data := Data{Name: "seeded"}
	for i := range count {
		sku := fmt.Sprintf("%c%d-%04x", 'a'+rune(r.IntN(26)), i, r.IntN(1<<16))
		title := titles[order[i]]
		arrives := Product{sku, title, 1 + r.IntN(9000)}
		has := Product{sku, title, r.IntN(9000)}
		switch {
		case i == 0: // one is sure to be in both, one only in stock, one only arriving
			data.Opening, data.Shipment = append(data.Opening, has), append(data.Shipment, arrives)
		case i == 1:
			data.Opening = append(data.Opening, has)
		case i == 2:
			data.Shipment = append(data.Shipment, arrives)
		default:
			if r.IntN(2) == 0 {
				data.Opening = append(data.Opening, has)
			}
			data.Shipment = append(data.Shipment, arrives)
		}
	}
	return data
}
