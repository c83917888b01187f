// What happens to a file of the other format.

/// What an opening does with a file of the other format of LMDB.
///
/// LMDB 0.9 and 1.0 do not read each other's files. A conversion writes all entries into a new file, compares them, and
/// puts the new file in the place of the old one.
public enum Conversion: Hashable, Sendable {
    /// Converts the file to the format of the loaded library.
    case automatic
    /// Converts the file, and keeps the old one beside it: `NAME.lmdb-0.9` or `NAME.lmdb-1.0`.
    case keepingOriginal
    /// Throws ``LMDBError/Code/otherFormat``, and leaves the file alone.
    case never
}
