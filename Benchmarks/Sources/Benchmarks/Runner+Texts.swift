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
        let store = try peer.storing(texts, indexes)
        var (measurement, _) = try await Measurement.of(staysOnThread: true, forMemory: forMemory) { try store() }
        guard try peer.entryCount() == texts.count else {
            throw BenchmarkError("\(workload.id): \(kind.rawValue) did not store what it was given")
        }
        try peer.settle()
        measurement.bytesOnDisk = try place.bytesOnDisk()
        return measurement
    }

    /// Measures a search, or changes of single entries, and the same in the reference collection.
    mutating func measure(
        _ searching: Workload.Searching, _ kind: PeerKind, forMemory: Bool
    ) async throws -> (Measurement, Checksum) {
        try await Measurement.of(searching.texts, beside: searching.reference, forMemory: forMemory) {
            try await measure(searching, in: $0, kind, forMemory: $1)
        }
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
        try peer.storing(texts, searching.indexes)()
        try peer.settle()
        self.texts[key] = peer
        return peer
    }
}

extension SearchingPeer {
    /// Prepares the storing and indexing of a collection. Returns the closure that is measured.
    fileprivate func storing(_ texts: TextCollection, _ indexes: EntryIndexes) throws -> () throws -> Void {
        let entries = texts.entries
        switch indexes {
        case .words:
            return { try self.insert(entries) }
        case .wordsOfStored:
            try insert(entries.map(EarlierEntry.init))
            return { try self.buildIndex() }
        case .wordsAndYears:
            let dated = entries.map(DatedEntry.init)
            return { try self.insert(dated) }
        case .parts:
            let parts = entries.map(PartEntry.init)
            return { try self.insert(parts) }
        }
    }
}

/// What distinguishes the databases of the text workloads.
struct TextDatabase: Hashable {
    let texts: ObjectIdentifier
    let indexes: EntryIndexes
    let isDurable: Bool
    let kind: PeerKind
}
