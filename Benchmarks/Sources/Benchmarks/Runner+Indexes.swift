// Runs the index workloads.

import Foundation

extension IndexingPeer {
    /// Inserts people, and checks the stored people.
    func fill(_ contents: Workload.IndexedContents) throws {
        let (plain, indexed): ([Person], [IndexedPerson]) =
            switch contents {
            case .plain(let count): ((0..<count).map { Person(IndexedPerson(number: $0)) }, [])
            case .indexed(let count): ([], (0..<count).map(IndexedPerson.init(number:)))
            }
        if !plain.isEmpty { try insert(plain) }
        if !indexed.isEmpty { try insert(indexed) }
        guard try verified() == (plain, indexed) else {
            throw BenchmarkError("\(Self.self) did not give back what it was given")
        }
    }
}

extension Runner {
    /// Measures a reading workload, and its reference.
    func measure<Peer>(
        _ reading: Workload.Reading<Peer>, _ peer: Peer, forMemory: Bool
    ) async throws -> (Measurement, Checksum) {
        try await Measurement.of(reading.run, beside: reading.reference, forMemory: forMemory) { run, forMemory in
            try await Measurement.of(staysOnThread: true, forMemory: forMemory) { try run(peer) }
        }
    }

    /// Measures changes of a new database, without a reference.
    func measure(
        _ writing: Workload.WritingIndexed, _ workload: Workload, _ kind: PeerKind, forMemory: Bool
    ) async throws -> Measurement {
        let place = try newPlace()
        defer { try? FileManager.default.removeItem(at: place.directory) }
        let peer = try kind.openIndexing(at: place)
        try writing.prepare(peer)
        var (measurement, _) = try await Measurement.of(staysOnThread: true, forMemory: forMemory) {
            try writing.run(peer)
        }
        guard try peer.verified() == (writing.plain, writing.indexed) else {
            throw BenchmarkError("\(workload.id): \(kind.rawValue) did not store what it was given")
        }
        try peer.settle()
        measurement.bytesOnDisk = try place.bytesOnDisk()
        return measurement
    }
}
