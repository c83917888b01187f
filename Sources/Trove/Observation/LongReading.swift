// A reading that would delay all observers of a round.

/// The error that a reading in a round throws instead of visiting many records.
struct LongReading: Error {}
