// Runs workloads in rounds. In each round, the peers run in a new random order.

import Foundation

/// All runs of a workload.
struct WorkloadResult {
    let workload: Workload
    /// The measurements of each peer, one per round.
    private(set) var measurements: [PeerKind: [Measurement]] = [:]

    init(_ workload: Workload) { self.workload = workload }

    /// The growth of memory in the warm-up round.
    private(set) var peakMemory: [PeerKind: Int] = [:]

    mutating func addWarmUp(_ measurement: Measurement, of kind: PeerKind) {
        peakMemory[kind] = measurement.peakMemory
    }

    mutating func add(_ measurement: Measurement, of kind: PeerKind) {
        measurements[kind, default: []].append(measurement)
    }

    func seconds(of kind: PeerKind) -> Statistics? {
        measurements[kind].map { Statistics($0.map(\.seconds)) }
    }

    /// Returns the median of the ratios of each round: to the baseline's run, or to the peer's own reference.
    func ratio(of kind: PeerKind) -> Double? {
        guard let own = measurements[kind] else { return nil }
        let baseline = measurements[workload.baseline] ?? []
        let ratios = own.indices.compactMap { round -> Double? in
            let reference = own[round].ownReference ?? (round < baseline.count ? baseline[round].seconds : nil)
            return reference.map { own[round].seconds / $0 }
        }
        return ratios.isEmpty ? nil : Statistics(ratios).median
    }
}

/// Runs each workload with all peers in turn.
struct Runner {
    let inputs: Inputs
    let rounds: Int
    let directory: URL
    private var filled: [PeerKind: any Peer] = [:]
    private var large: [PeerKind: Place] = [:]
    private var indexed: [Workload.IndexedContents: [PeerKind: any IndexingPeer]] = [:]
    private var graphs: [Workload.GraphContents: [PeerKind: any GraphPeer]] = [:]
    var texts: [TextDatabase: any SearchingPeer] = [:]
    private var shops: [PeerKind: any AskingPeer] = [:]
    private var sales: [Int: [PeerKind: any TotalingPeer]] = [:]

    init(inputs: Inputs, rounds: Int, directory: URL) {
        self.inputs = inputs
        self.rounds = rounds
        self.directory = directory
    }

    mutating func run(_ workload: Workload, peers: [PeerKind], _ progress: (String) -> Void) async throws
        -> WorkloadResult
    {
        var result = WorkloadResult(workload)
        let rounds = workload.isDurable ? min(rounds, 3) : rounds
        // Round 0 warms up, and measures memory. Durable workloads wait for the disk, so they need no warm-up.
        for round in (workload.isDurable ? 1 : 0)...rounds {
            var random = SplitMix64(state: UInt64(round))
            var checksums: [PeerKind: Checksum] = [:]
            let chosen = peers.filter((workload.peers ?? PeerKind.withPeople).contains)
            for kind in chosen.shuffled(using: &random) {
                progress("\(workload.id): round \(round) of \(rounds), \(kind.rawValue)")
                let (measurement, checksum) = try await measure(workload, kind, forMemory: round == 0)
                checksums[kind] = checksum
                if round > 0 { result.add(measurement, of: kind) } else { result.addWarmUp(measurement, of: kind) }
            }
            guard Set(checksums.values).count <= 1 else {
                throw BenchmarkError("\(workload.id): the peers did not read the same: \(checksums)")
            }
        }
        return result
    }

    private mutating func measure(
        _ workload: Workload, _ kind: PeerKind, forMemory: Bool
    ) async throws -> (Measurement, Checksum?) {
        switch workload.work {
        case .reading(let run):
            let peer = try filledDatabase(of: kind)
            return try await Measurement.of(staysOnThread: true, forMemory: forMemory) { try run(peer) }
        case .writing(let writing):
            let reference = writing.changes == nil ? nil : writing.withoutHistory
            return try await Measurement.of(writing, beside: reference, forMemory: forMemory) {
                (try await measure($0, workload, kind, forMemory: $1), nil)
            }
        case .opening(let count):
            let place = try largeDatabase(of: kind, count)
            let id = Int64(count / 2)
            let (measurement, checksum) = try await Measurement.of(staysOnThread: true, forMemory: forMemory) {
                try kind.open(at: place).get([id])
            }
            return (measurement, checksum)
        case .migrating(let run):
            let places = [try newPlace(), try newPlace()]
            defer { for place in places { try? FileManager.default.removeItem(at: place.directory) } }
            return (try await run(places[0], places[1]), nil)
        case .measuring(let run):
            return try await run(try filledDatabase(of: kind))
        case .readingIndexed(let contents, let reading):
            return try await measure(reading, indexedDatabase(of: kind, contents), forMemory: forMemory)
        case .writingIndexed(let writing):
            return try await Measurement.of(writing, beside: writing.reference?(), forMemory: forMemory) {
                (try await measure($0, workload, kind, forMemory: $1), nil)
            }
        case .relating(let relating):
            return (try await measure(relating, workload, kind, forMemory: forMemory), nil)
        case .readingGraphs(let contents, let reading):
            return try await measure(reading, graphDatabase(of: kind, contents), forMemory: forMemory)
        case .observing(let run):
            let place = try newPlace()
            defer { try? FileManager.default.removeItem(at: place.directory) }
            return (try await run(kind.openObserving(at: place)), nil)
        case .indexingTexts(let texts, let indexes, beside: let reference):
            return try await Measurement.of(indexes, beside: reference, forMemory: forMemory) {
                (try await measure(texts, $0, workload, kind, forMemory: $1), nil)
            }
        case .searching(let searching):
            return try await measure(searching, kind, forMemory: forMemory)
        case .asking(let question):
            let peer = try shop(of: kind)
            return try await Measurement.of(staysOnThread: true, forMemory: forMemory) { try peer.answer(question) }
        case .changingShop(let change):
            let peer = try shop(of: kind)
            return try await Measurement.of(staysOnThread: true, forMemory: forMemory) {
                var checksum = Checksum()
                checksum.add(try peer.run(change))
                return checksum
            }
        case .readingSales(let count, let reading):
            return try await measure(reading, saleDatabase(of: kind, count), forMemory: forMemory)
        case .writingSales(let writing):
            return try await Measurement.of(writing.table, beside: writing.reference, forMemory: forMemory) {
                (try await measure(writing, $0, workload, kind, forMemory: $1), nil)
            }
        }
    }

    private func measure(
        _ writing: Workload.Writing, _ workload: Workload, _ kind: PeerKind, forMemory: Bool
    ) async throws -> Measurement {
        var place = try newPlace(isDurable: writing.isDurable)
        place.keepsHistory = writing.changes != nil
        defer { try? FileManager.default.removeItem(at: place.directory) }
        let peer = try kind.open(at: place)
        try writing.prepare(peer)
        var (measurement, _) = try await Measurement.of(staysOnThread: !writing.isConcurrent, forMemory: forMemory) {
            try await writing.run(peer)
        }
        guard try peer.all() == writing.people, try peer.flightCount() == writing.flights,
            try writing.changes.map({ try peer.historyCount() == $0 }) ?? true
        else {
            throw BenchmarkError("\(workload.id): \(kind.rawValue) did not store what it was given")
        }
        try peer.settle()
        measurement.bytesOnDisk = try place.bytesOnDisk()
        return measurement
    }

    // MARK: Databases

    func newPlace(isDurable: Bool = false) throws -> Place {
        let directory = directory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return Place(directory: directory, isDurable: isDurable)
    }

    /// Returns the peer's database with all people. Its contents are checked once.
    private mutating func filledDatabase(of kind: PeerKind) throws -> any Peer {
        if let peer = filled[kind] { return peer }
        let peer = try kind.open(at: newPlace())
        try peer.insert(inputs.people)
        try peer.settle()
        guard try peer.all() == inputs.people else {
            throw BenchmarkError("\(kind.rawValue) did not give back what it was given")
        }
        filled[kind] = peer
        return peer
    }

    private mutating func largeDatabase(of kind: PeerKind, _ count: Int) throws -> Place {
        if let place = large[kind] { return place }
        let place = try newPlace()
        let peer = try kind.open(at: place)
        for start in stride(from: 0, to: count, by: 100_000) {
            try peer.insert((start..<min(start + 100_000, count)).map(Person.init(number:)))
        }
        try peer.settle()
        guard try peer.count(0..<Int64(count)) == count else {
            throw BenchmarkError("\(kind.rawValue) did not store what it was given")
        }
        large[kind] = place
        return place
    }

    /// Returns the peer's database with indexes.
    private mutating func indexedDatabase(of kind: PeerKind, _ contents: Workload.IndexedContents) throws
        -> any IndexingPeer
    {
        if let peer = indexed[contents]?[kind] { return peer }
        let peer = try kind.openIndexing(at: newPlace())
        try peer.fill(contents)
        indexed[contents, default: [:]][kind] = peer
        return peer
    }

    /// Returns the peer's database with customers and their purchases.
    private mutating func shop(of kind: PeerKind) throws -> any AskingPeer {
        if let peer = shops[kind] { return peer }
        let peer = try kind.openAsking(at: newPlace())
        try peer.fill(customers: inputs.people.count)
        shops[kind] = peer
        return peer
    }

    /// Returns the peer's database with sales.
    private mutating func saleDatabase(of kind: PeerKind, _ count: Int) throws -> any TotalingPeer {
        if let peer = sales[count]?[kind] { return peer }
        let peer = try kind.openTotaling(at: newPlace())
        try peer.fill(count)
        sales[count, default: [:]][kind] = peer
        return peer
    }

    /// Returns the peer's database with relations.
    private mutating func graphDatabase(of kind: PeerKind, _ contents: Workload.GraphContents) throws
        -> any GraphPeer
    {
        if let peer = graphs[contents]?[kind] { return peer }
        let peer = try kind.openGraphs(at: newPlace())
        try peer.fill(contents)
        try peer.settle()
        graphs[contents, default: [:]][kind] = peer
        return peer
    }
}

extension Workload {
    fileprivate var isDurable: Bool {
        switch work {
        case .writing(let writing): writing.isDurable
        case .relating(let relating): relating.isDurable
        case .searching(let searching): searching.isDurable
        default: false
        }
    }
}

extension Place {
    /// Returns the bytes of all files, without locks and shared memory.
    func bytesOnDisk() throws -> Int {
        try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: [.fileSizeKey])
            .filter { !$0.lastPathComponent.hasSuffix("-lock") && !$0.lastPathComponent.hasSuffix("-shm") }
            .reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    }
}
