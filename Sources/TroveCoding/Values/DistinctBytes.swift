// Types whose values all have different bytes.

/// A type whose values all have different bytes. Floating-point types do not conform: two NaNs can have the same bytes.
/// Nor do types written by hand: their code is unknown.
@usableFromInline
protocol DistinctBytes: RecordValue {}
