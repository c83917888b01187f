// The meaning of words beside each other in typed text.

/// The meaning of words beside each other in a typed query.
public enum WordJoining: Hashable, Sendable {
    /// Records with all of the words.
    case all
    /// Records with any of the words. Words marked with `+` are required.
    case any
}
