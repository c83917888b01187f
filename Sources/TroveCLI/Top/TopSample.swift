// The state of a store at a moment, and what has changed since the moment before.

import Foundation
import LMDB
import Trove
import TroveTerminal

/// A sample of a store's activity.
struct TopSample: Encodable {
    /// A record type.
    struct RecordType: Encodable {
        let name: String
        let records: Int
        let bytes: Int
        /// The change since the sample before; nil for the first sample.
        var recordsChange: Int?
        var bytesChange: Int?
    }

    /// The read transactions of a process in a snapshot.
    struct Reader: Encodable {
        let process: Int
        /// The name of the process; nil if the system does not tell.
        let name: String?
        /// The number of reads; idle slots are left out.
        let reads: Int
        /// The number of commits since the snapshot.
        let commitsBehind: Int
        /// The time for which the reader has been seen with this snapshot, in seconds.
        let seconds: Double
    }

    let path: String
    let commit: UInt64
    /// The number of commits a second since the sample before; nil for the first sample.
    let commitsPerSecond: Double?
    let usedBytes: Int
    let freeBytes: Int
    let mapBytes: Int
    /// The reader slots in use of other processes, also idle ones.
    let readerSlots: Int
    let maximumReaders: Int
    /// The readers of other processes, the oldest snapshot first.
    let readers: [Reader]
    /// The record types, the largest first.
    let types: [RecordType]
}

/// The samples of a store, each compared with the one before.
struct TopSampler {
    /// A process with a snapshot.
    private struct Snapshot: Hashable {
        let process: Int
        let transaction: Int
    }

    private let path: String
    private var before: (activity: StoreActivity, time: ContinuousClock.Instant)?
    /// When each reader was seen first.
    private var seen: [Snapshot: ContinuousClock.Instant] = [:]
    private let ownProcess: Int
    private let processName: (Int) -> String?

    /// - Parameters:
    ///   - ownProcess: The process whose readers are left out.
    ///   - processName: Returns the name of a process.
    init(
        path: String, ownProcess: Int = Int(ProcessInfo.processInfo.processIdentifier),
        processName: @escaping (Int) -> String? = ProcessName.of
    ) {
        self.path = path
        self.ownProcess = ownProcess
        self.processName = processName
    }

    /// Returns the sample of an activity at a time.
    mutating func sample(_ activity: StoreActivity, at now: ContinuousClock.Instant) -> TopSample {
        defer { before = (activity, now) }
        return TopSample(
            path: path, commit: activity.commitSequence, commitsPerSecond: rate(activity, now),
            usedBytes: bytes(activity.pages, activity), freeBytes: bytes(activity.freePages, activity),
            mapBytes: activity.mapSize, readerSlots: activity.readers.count { $0.process != ownProcess },
            maximumReaders: activity.maximumReaders, readers: readers(activity, now), types: types(activity))
    }

    private func bytes(_ pages: Int, _ activity: StoreActivity) -> Int {
        pages.multipliedReportingOverflow(by: activity.pageSize).partialValue
    }

    private func rate(_ activity: StoreActivity, _ now: ContinuousClock.Instant) -> Double? {
        guard let before else { return nil }
        let seconds = (now - before.time).seconds
        // A store that was opened again may have gone back.
        guard seconds > 0, activity.commitSequence >= before.activity.commitSequence else { return nil }
        return Double(activity.commitSequence - before.activity.commitSequence) / seconds
    }

    private mutating func readers(_ activity: StoreActivity, _ now: ContinuousClock.Instant) -> [TopSample.Reader] {
        var counts: [Snapshot: Int] = [:]
        for reader in activity.readers where reader.process != ownProcess {
            guard let transaction = reader.transaction else { continue }
            counts[Snapshot(process: reader.process, transaction: transaction), default: 0] += 1
        }
        seen = counts.keys.reduce(into: [:]) { $0[$1] = seen[$1] ?? now }
        return counts.sorted { ($0.key.transaction, $0.key.process) < ($1.key.transaction, $1.key.process) }
            .map { snapshot, count in
                TopSample.Reader(
                    process: snapshot.process, name: processName(snapshot.process), reads: count,
                    commitsBehind: max(0, activity.transaction - snapshot.transaction),
                    seconds: (now - (seen[snapshot] ?? now)).seconds)
            }
    }

    private func types(_ activity: StoreActivity) -> [TopSample.RecordType] {
        let earlier = before.map { before in
            Dictionary(before.activity.types.map { ($0.name, $0) }) { first, _ in first }
        }
        let types = activity.types.map { type in
            let known = earlier?[type.name]
            return TopSample.RecordType(
                name: type.name, records: type.records, bytes: type.bytes,
                recordsChange: earlier == nil ? nil : type.records &- (known?.records ?? 0),
                bytesChange: earlier == nil ? nil : type.bytes &- (known?.bytes ?? 0))
        }
        return types.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    }
}

/// The names of processes.
enum ProcessName {
    /// Returns the name of a process; nil if the system does not tell.
    static func of(_ process: Int) -> String? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/comm") else { return nil }
        let name = String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
        return name?.isEmpty == false ? name : nil
    }
}
