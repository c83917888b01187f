// Runs the relation workloads.

import Foundation

extension Runner {
    func measure(
        _ relating: Workload.Relating, _ workload: Workload, _ kind: PeerKind, forMemory: Bool
    ) async throws -> Measurement {
        let place = try newPlace(isDurable: relating.isDurable)
        defer { try? FileManager.default.removeItem(at: place.directory) }
        let peer = try kind.openRelating(at: place)
        try relating.prepare(peer)
        let size = try place.bytesOnDisk()
        var (measurement, _) = try await Measurement.of(staysOnThread: !relating.isDurable, forMemory: forMemory) {
            try await relating.run(peer)
        }
        let contents = try peer.contents()
        guard relating.contents == nil || relating.contents == contents else {
            throw BenchmarkError("\(workload.id): \(kind.rawValue) did not store what it was given")
        }
        try peer.settle()
        measurement.bytesOnDisk = try place.bytesOnDisk()
        if kind == .trove, !relating.mayGrow, measurement.bytesOnDisk > size {
            throw BenchmarkError("\(workload.id): the file has grown by \(measurement.bytesOnDisk - size) bytes")
        }
        return measurement
    }
}

extension PeerKind {
    /// The peers of the relation workloads.
    static let relating: [PeerKind] = [.trove, .liblmdb, .grdbFast, .grdbCodable]

    /// - Throws: An error for a peer outside ``relating``.
    func openRelating(at place: Place) throws -> any RelatingPeer {
        switch self {
        case .trove: try TroveRelatingPeer(at: place)
        case .liblmdb: try LiblmdbRelatingPeer(at: place)
        case .grdbFast: try GRDBRelatingPeer(at: place)
        case .grdbCodable: try GRDBCodableRelatingPeer(at: place)
        default: throw BenchmarkError("\(rawValue) has no relations to change")
        }
    }

    /// - Throws: An error for a peer that reads no graphs.
    func openGraphs(at place: Place) throws -> any GraphPeer {
        switch self {
        case .trove: try TroveRelatingPeer(at: place)
        case .liblmdb: try LiblmdbRelatingPeer(at: place)
        case .grdbFast: try GRDBGraphPeer(at: place)
        case .grdbCodable: try GRDBCodableGraphPeer(at: place)
        case .dictionaries: try DictionaryGraphPeer(at: place)
        default: throw BenchmarkError("\(rawValue) has no relations")
        }
    }
}

extension GraphPeer {
    /// Saves the entities of reading workloads.
    func fill(_ contents: Workload.GraphContents) throws {
        switch contents {
        case .chats(let count, let isShuffled):
            var random = SplitMix64(state: 2016)
            let ids = Array(0..<100 * count)
            try save(Chat.graphs(count, isShuffled ? ids.shuffled(using: &random) : ids))
            try replace(MessageList.authors(of: ids.count))
        case .list(let count):
            try save(Chat.graphs(count / 100, Array(0..<count)))
            try replace([.long(count)])
        case .contacts(let count):
            try save(Contact.circle(of: count))
        }
    }
}

extension MessageList {
    /// Returns the lists of the authors of some messages: a hundred messages each, on average.
    fileprivate static func authors(of messages: Int) -> [MessageList] {
        var random = SplitMix64(state: 2020)
        var lists = [[Int64]](repeating: [], count: max(1, messages / 100))
        for message in 0..<Int64(messages) { lists[Int.random(in: lists.indices, using: &random)].append(message) }
        return lists.enumerated().map { MessageList(member: Int64($0), messages: $1) }
    }

    /// Returns a list of some messages in random order.
    static func long(_ count: Int) -> MessageList {
        var random = SplitMix64(state: 2021)
        return MessageList(member: 1, messages: (0..<Int64(count)).shuffled(using: &random))
    }
}
