// The measurements of a run: time, memory, allocations, bytes on disk.

import CAllocationCounter
import Foundation

/// A run of a workload by a peer.
struct Measurement {
    var seconds: Double
    /// The time of the same peer for the reference work of a ratio; nil if the baseline's run is the reference.
    var ownReference: Double?
    /// The peak growth of the process's memory, pages of mapped files included; nil if it was not measured, or is not
    /// available.
    var peakMemory: Int?
    /// The allocations of the running thread; nil if they cannot be counted, or if other threads do the work.
    var allocations: Int?
    var bytesOnDisk = 0
}

extension Measurement {
    /// Measures a closure.
    ///
    /// - Parameters:
    ///   - staysOnThread: Whether the calling thread does all of the work, and its allocations can be counted.
    ///   - forMemory: Whether to measure memory. Freed memory is first returned to the system, which costs time
    ///     when it is allocated again.
    static func of<R>(
        staysOnThread: Bool, forMemory: Bool, _ body: () async throws -> R
    ) async throws -> (Measurement, R) {
        if forMemory { allocation_counter_trim() }
        let memory = forMemory ? PeakMemory() : nil
        let allocations = allocation_counter_count()
        let clock = ContinuousClock()
        let start = clock.now
        let result = try await body()
        let time = clock.now - start
        var measurement = Measurement(seconds: time / .seconds(1))
        measurement.peakMemory = memory?.growth
        if staysOnThread, allocation_counter_is_available() {
            measurement.allocations = Int(allocation_counter_count() - allocations)
        }
        return (measurement, result)
    }

    /// Measures work, and other work as the reference for the time. The reference is measured first or second, at
    /// random.
    ///
    /// - Parameters:
    ///   - reference: The other work; nil for the baseline's run.
    ///   - measure: Measures the work, or the reference: always without memory.
    static func of<Work, R>(
        _ work: Work, beside reference: Work?, forMemory: Bool,
        _ measure: (_ work: Work, _ forMemory: Bool) async throws -> (Measurement, R)
    ) async throws -> (Measurement, R) {
        let isFirst = Bool.random()
        var seconds: Double?
        if isFirst, let reference { seconds = try await measure(reference, false).0.seconds }
        var (measurement, result) = try await measure(work, forMemory)
        if !isFirst, let reference { seconds = try await measure(reference, false).0.seconds }
        measurement.ownReference = seconds
        return (measurement, result)
    }
}

/// Returns the processor time of the calling thread, in seconds.
func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The growth of the process's resident memory since the creation of this value. Linux keeps a resettable peak.
private struct PeakMemory {
    private let before: Int?

    init() {
        let isReset = (try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))) != nil
        before = isReset ? Self.kilobytes("VmRSS") : nil
    }

    var growth: Int? {
        guard let before, let peak = Self.kilobytes("VmHWM") else { return nil }
        return max(0, peak - before) * 1024
    }

    private static func kilobytes(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
        else { return nil }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
}
