// Rebuilds of the lists of a relation.

import TroveCoding

extension TransactionContext {
    /// Builds the lists of a relation again, and stores the missing directions of symmetric links.
    ///
    /// - Parameters:
    ///   - keyPrefix: The prefix of the links.
    ///   - index: The name of an index; nil for all.
    /// - Returns: The errors of damaged links.
    @discardableResult
    func rebuildLinks(_ keyPrefix: UInt32, _ index: String? = nil) throws -> [StoreError] {
        // Lists whose entries are lost are added to the catalog, without links.
        if let stored = relations[keyPrefix] { _ = try tableForWriting(stored.schema) }
        let damaged = try rebuildLists(keyPrefix, index)
        guard let stored = relations[keyPrefix], let links = try links(stored) else { return [] }
        if stored.isBeingRewritten { try endRewrite(of: links.table.type, keyPrefix) }
        try LinkWriter(links: links, context: self).restoreMirrors()
        return damaged.map { .record(.checksumMismatch(type: links.name, key: links.table.storedKey($0))) }
    }

    /// Builds the lists of a type of links again, without its Swift type.
    ///
    /// - Parameters:
    ///   - keyPrefix: The prefix of the links.
    ///   - index: The name of an index; nil for all.
    /// - Returns: The keys of damaged links.
    @discardableResult
    func rebuildLists(_ keyPrefix: UInt32, _ index: String? = nil) throws -> [[UInt8]] {
        guard var type = try catalogStorage().type(keyPrefix) else { return [] }
        let name = TableName(keyPrefix: keyPrefix, generation: type.generation)
        var damaged: [[UInt8]] = []
        var isReady = true
        for (number, stored) in type.indexes.sorted(by: { $0.key < $1.key })
        where stored.kind == .list && index ?? stored.text == stored.text {
            isReady = isReady && stored.isReady
            try empty(number, of: &type, keyPrefix)
            var build = try ListBuild(stored, of: type, table: name, in: keyspace, number: number)
            while try build.writeChunk(keyspace) {}
            type.indexes[number]?.state = .readable
            if damaged.isEmpty { damaged = build.damaged }
        }
        noteChange()
        if !isReady {
            try set(type, keyPrefix)
            if let relation = relations[keyPrefix] { try use(type, for: relation.schema) }
        }
        return damaged
    }
}
