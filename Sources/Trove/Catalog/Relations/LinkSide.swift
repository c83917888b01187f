// The two ends of a link.

/// An end of a link: the part of the key of a link's record.
enum LinkSide: CaseIterable, Hashable, Sendable {
    case first, second

    /// The end across.
    var other: LinkSide { self == .first ? .second : .first }
}
