// The maintenance of indexes, as the declarations of indexes know it: a kind has one, and higher folders call it.
//
//     TableMaintainer    in Catalog: the tables of an index
//     IndexMaintainer    in Transactions: all of the maintenance

/// The maintenance of the indexes of a kind.
///
/// Higher folders refine this protocol by the members that they call.
protocol IndexMaintenance: Sendable {}

/// The maintenance of a kind with entries alone.
struct EntryMaintainer: IndexMaintenance {}

/// For each kind of index, its maintenance as a higher folder knows it.
struct MaintainersByKind<Maintainer: Sendable>: Sendable {
    /// By the number of the kind.
    private let maintainers: [Maintainer]

    /// - Parameter refine: Returns a maintenance as the folder knows it.
    init(_ refine: (any IndexMaintenance) -> Maintainer) {
        let last = IndexKind.all.map(\.number.rawValue).max() ?? 0
        maintainers = (0...last).map { number in
            refine(IndexKind(IndexKindNumber(rawValue: number))?.maintenance ?? EntryMaintainer())
        }
    }

    subscript(kind: IndexKind) -> Maintainer { maintainers[Int(kind.number.rawValue)] }
}
