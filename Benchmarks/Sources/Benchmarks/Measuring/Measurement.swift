// What is measured of one run: time, memory, allocations, bytes on disk.

import CAllocationCounter
import Foundation

/// One run of a workload by one peer.
struct Measurement {
    var seconds: Double
    /// What the same peer took for the work that a ratio compares with, where that is not the baseline's run.
    var ownReference: Double?
    /// How much the process's memory grew at most, pages of mapped files included; nil where it was not asked for, or
    /// cannot be told.
    var peakMemory: Int?
    /// Allocations of the running thread; nil where they cannot be counted, or other threads do the work.
    var allocations: Int?
    var bytesOnDisk = 0
}

extension Measurement {
    /// Measures a closure.
    ///
    /// - Parameters:
    ///   - staysOnThread: Whether all of the work is done by the calling thread, so that its allocations can be counted.
    ///   - forMemory: Whether to look at memory. What was freed is given back to the system before, which costs time
    ///     while it is allocated again.
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
}

/// The processor time that the calling thread has used, in seconds.
func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The growth of the process's resident memory since this was made. Linux keeps a peak that can be reset.
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
