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
    /// Measures a reading workload. The reference is measured first or second, at random.
    func measure<Peer>(
        _ reading: Workload.Reading<Peer>, _ peer: Peer, forMemory: Bool
    ) async throws -> (Measurement, Checksum?) {
        var reference: Double?
        func measureReference() async throws {
            guard let run = reading.reference else { return }
            reference = try await Measurement.of(staysOnThread: true, forMemory: false) { try run(peer) }.0.seconds
        }
        let isFirst = Bool.random()
        if isFirst { try await measureReference() }
        var (measurement, checksum) = try await Measurement.of(staysOnThread: true, forMemory: forMemory) {
            try reading.run(peer)
        }
        if !isFirst { try await measureReference() }
        measurement.ownReference = reference
        return (measurement, checksum)
    }

    func measure(
        _ writing: Workload.WritingIndexed, _ workload: Workload, _ kind: PeerKind, forMemory: Bool
    ) async throws -> Measurement {
        let isFirst = Bool.random()
        var reference: Double?
        if let other = writing.reference?(), isFirst {
            reference = try await measure(other, workload, kind, forMemory: false).seconds
        }
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
        if let other = writing.reference?(), !isFirst {
            reference = try await measure(other, workload, kind, forMemory: false).seconds
        }
        measurement.ownReference = reference
        return measurement
    }
}
