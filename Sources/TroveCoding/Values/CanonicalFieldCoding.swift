// Codings whose bytes are the same in every process.

/// A coding in which a value has the same bytes in every process.
///
/// JSON is not canonical: the order of a set's elements differs between processes.
public protocol CanonicalFieldCoding: FieldCoding {}
