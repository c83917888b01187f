// Runs the text workloads.

import Foundation

extension Runner {
    /// Measures the storing and indexing of a collection in a new database.
    func measure(
        _ texts: TextCollection, _ indexes: EntryIndexes, _ workload: Workload, _ kind: PeerKind, forMemory: Bool
    ) async throws -> Measurement {
        let place = try newPlace()
        defer { try? FileManager.default.removeItem(at: place.directory) }
        let peer = try kind.openSearching(at: place)
        let entries = texts.entries
        let parts = indexes == .parts ? entries.map(PartEntry.init) : []
        var (measurement, _) = try await Measurement.of(staysOnThread: true, forMemory: forMemory) {
            if indexes == .parts { try peer.insert(parts) } else { try peer.insert(entries) }
        }
        guard try peer.entryCount() == texts.count else {
            throw BenchmarkError("\(workload.id): \(kind.rawValue) did not store what it was given")
        }
        try peer.settle()
        measurement.bytesOnDisk = try place.bytesOnDisk()
        return measurement
    }

    /// Measures a search, or changes of single entries. The reference collection has its turn first or second, at
    /// random.
    mutating func measure(
        _ searching: Workload.Searching, _ kind: PeerKind, forMemory: Bool
    ) async throws -> (Measurement, Checksum) {
        let isFirst = Bool.random()
        var reference: Double?
        if isFirst, let texts = searching.reference {
            reference = try await measure(searching, in: texts, kind, forMemory: false).0.seconds
        }
        var (measurement, checksum) = try await measure(searching, in: searching.texts, kind, forMemory: forMemory)
        if !isFirst, let texts = searching.reference {
            reference = try await measure(searching, in: texts, kind, forMemory: false).0.seconds
        }
        measurement.ownReference = reference
        return (measurement, checksum)
    }

    private mutating func measure(
        _ searching: Workload.Searching, in texts: TextCollection, _ kind: PeerKind, forMemory: Bool
    ) async throws -> (Measurement, Checksum) {
        let peer = try textDatabase(of: kind, searching, texts)
        searching.prepare()
        var times: [Double] = []
        var (measurement, checksum) = try await Measurement.of(staysOnThread: true, forMemory: forMemory) {
            try searching.run(peer, &times)
        }
        if let quantile = searching.quantile {
            measurement.seconds = Statistics.quantile(times.sorted(), quantile)
            measurement.allocations = nil
        }
        return (measurement, checksum)
    }

    /// Returns the peer's database with a collection.
    private mutating func textDatabase(
        of kind: PeerKind, _ searching: Workload.Searching, _ texts: TextCollection
    ) throws -> any SearchingPeer {
        let key = TextDatabase(
            texts: ObjectIdentifier(texts), indexes: searching.indexes, isDurable: searching.isDurable, kind: kind)
        if let peer = self.texts[key] { return peer }
        let peer = try kind.openSearching(at: newPlace(isDurable: searching.isDurable))
        switch searching.indexes {
        case .words: try peer.insert(texts.entries)
        case .wordsAndYears: try peer.insert(texts.entries.map(DatedEntry.init))
        case .parts: try peer.insert(texts.entries.map(PartEntry.init))
        }
        try peer.settle()
        self.texts[key] = peer
        return peer
    }
}

/// What distinguishes the databases of the text workloads.
struct TextDatabase: Hashable {
    let texts: ObjectIdentifier
    let indexes: EntryIndexes
    let isDurable: Bool
    let kind: PeerKind
}
