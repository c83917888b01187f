// The changes of indexes that a write transaction gathers in memory, and writes together later.
//
//     depth    0 the transaction · 1 a nested transaction · 2 a nested transaction of that
//     layers   for each depth, the changes that are not written yet
//     lent     for each depth, the changes of lower layers that a flush at this depth has written
//
// A flush takes the changes of all layers. If its nested transaction is undone, the rows are undone with it, and the
// lower layers get their changes back.

/// The gathered changes of an index.
protocol GatheredChanges {
    /// The number of changes.
    var count: Int { get }

    /// Adds later changes of the same index.
    mutating func add(_ later: Self)
}

/// The gathered changes of a transaction and of its nested transactions.
struct ChangeLayers<Changes: GatheredChanges> {
    /// The changes of each index, by the name of its first table.
    typealias Layer = [TableName: Changes]

    private var layers: [Layer] = []
    private var lent: [[Layer]] = []
    /// The number of changes of all layers.
    private(set) var count = 0

    /// Makes room for the layer of a depth.
    mutating func grow(to depth: Int) {
        while layers.count <= depth {
            layers.append([:])
            lent.append([])
        }
    }

    /// Changes the changes of an index in the layer of a depth.
    ///
    /// - Parameter none: The changes of an index without any.
    mutating func change(
        _ name: TableName, at depth: Int, default none: @autoclosure () -> Changes, _ body: (inout Changes) -> Void
    ) {
        count += Self.added(to: &layers[depth][name, default: none()], by: body)
    }

    /// Returns the number of changes that a closure adds.
    private static func added(to changes: inout Changes, by body: (inout Changes) -> Void) -> Int {
        let before = changes.count
        body(&changes)
        return changes.count - before
    }

    /// Ends the nested transactions of a depth.
    mutating func endNested(of depth: Int, isCommitted: Bool) {
        guard layers.count > depth + 1 else { return }
        let (ended, written) = (layers.removeLast(), lent.removeLast())
        if isCommitted {
            Self.add(ended, to: &layers[depth])
            // What the layer of this depth has lent is written in its own transaction now.
            Self.add(Array(written.prefix(depth)), to: &lent[depth])
        } else {
            for (depth, layer) in written.enumerated() { Self.add(layer, to: &layers[depth]) }
        }
        countChanges()
    }

    /// Takes the changes of some indexes from all layers. The lower layers get theirs back if the transaction is
    /// undone.
    ///
    /// - Parameter depth: The depth of the transaction that writes or drops the changes.
    mutating func take(at depth: Int, _ isTaken: (TableName) -> Bool) -> Layer {
        var all: Layer = [:]
        for lower in 0...depth {
            let taken = layers[lower].filter { isTaken($0.key) }
            if taken.isEmpty { continue }
            for name in taken.keys { layers[lower][name] = nil }
            Self.add(taken, to: &all)
            guard lower < depth else { continue }
            while lent[depth].count <= lower { lent[depth].append([:]) }
            Self.add(taken, to: &lent[depth][lower])
        }
        countChanges()
        return all
    }

    private mutating func countChanges() {
        count = layers.reduce(0) { count, layer in layer.values.reduce(count) { $0 + $1.count } }
    }

    private static func add(_ other: Layer, to layer: inout Layer) {
        // In place: a merge would copy the gathered changes for each nested transaction.
        for (name, later) in other {
            if layer[name] == nil { layer[name] = later } else { layer[name]?.add(later) }
        }
    }

    private static func add(_ others: [Layer], to layers: inout [Layer]) {
        for (depth, layer) in others.enumerated() {
            if depth == layers.count { layers.append([:]) }
            add(layer, to: &layers[depth])
        }
    }
}
