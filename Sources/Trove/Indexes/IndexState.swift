// The states of an index.

/// The state of an index.
///
/// An index of a type with records begins as `building`. The build leaves a unique index `readableWithDuplicates`,
/// until a search finds no duplicate values; any other index becomes `readable`.
enum IndexState: Hashable, Sendable {
    /// The index has the entries of the first `done` records, up to the key `position`. Writes maintain the index;
    /// queries do not use it.
    case building(done: UInt64, position: [UInt8])
    /// The index has the entries of all records.
    case readable
    /// The state of a unique index with the entries of all records, and possibly duplicate values.
    case readableWithDuplicates

    /// The state before a build.
    static let empty = IndexState.building(done: 0, position: [])

    /// Whether the index has the entries of all records.
    var isReady: Bool { if case .building = self { false } else { true } }

    /// The number of records indexed by the build; 0 when the index is ready.
    var done: UInt64 { if case .building(let done, _) = self { done } else { 0 } }

    /// The key of the last record indexed by the build; empty when the index is ready.
    var position: [UInt8] { if case .building(_, let position) = self { position } else { [] } }
}
