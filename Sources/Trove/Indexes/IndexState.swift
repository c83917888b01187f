// The states of an index.

/// The state of an index.
///
/// An index of a type that has records begins as `building`. The build leaves a unique index `readableWithDuplicates`,
/// until a search finds no duplicate values; any other index is `readable` then.
enum IndexState: Hashable, Sendable {
    /// The index has the entries of the first `done` records, the last of which has the key `position`. Writes maintain
    /// the index; queries do not use it.
    case building(done: UInt64, position: [UInt8])
    /// The index has the entries of all records.
    case readable
    /// The same, for a unique index that may have duplicate values.
    case readableWithDuplicates

    /// A build that has not begun.
    static let empty = IndexState.building(done: 0, position: [])

    /// Whether the index has the entries of all records.
    var isReady: Bool { if case .building = self { false } else { true } }

    /// The number of records whose entries a build has made; 0 when the index is ready.
    var done: UInt64 { if case .building(let done, _) = self { done } else { 0 } }

    /// The key of the last record whose entries a build has made; empty when the index is ready.
    var position: [UInt8] { if case .building(_, let position) = self { position } else { [] } }
}
