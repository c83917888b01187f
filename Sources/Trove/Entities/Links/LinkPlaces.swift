// The positions in a link's record.

/// The positions of a link in the lists of its ends, in the order of its record: at most two.
struct LinkPlaces {
    private var first: Int64 = 0
    private var second: Int64 = 0

    subscript(place: Int) -> Int64 {
        get { place == 0 ? first : second }
        set { if place == 0 { first = newValue } else { second = newValue } }
    }
}
