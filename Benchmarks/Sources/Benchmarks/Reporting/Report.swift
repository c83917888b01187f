// The figures of a run: as tables in Markdown, and as JSON.

import Foundation

/// A line of the report: the figures of a peer for a workload.
struct Figure: Encodable {
    let workload: String
    let peer: String
    let records: Int
    /// The median; nil for bytes on disk.
    let medianSeconds: Double?
    let spread: Double?
    let ratio: Double?
    let peakMemoryBytes: Int?
    let bytesOnDisk: Int?
    let allocationsPerRecord: Double?

    enum CodingKeys: String, CodingKey {
        case workload, peer, records
        case medianSeconds = "median_seconds"
        case spread, ratio
        case peakMemoryBytes = "peak_memory_bytes"
        case bytesOnDisk = "bytes_on_disk"
        case allocationsPerRecord = "allocations_per_record"
    }
}

/// The figures of all completed workloads.
struct Report {
    let results: [WorkloadResult]
    /// The peers with figures.
    let peers: [PeerKind]

    init(results: [WorkloadResult], peers: [PeerKind]) {
        self.results = results
        self.peers = peers.filter { kind in results.contains { $0.measurements[kind] != nil } }
    }

    /// A figure for each workload and peer.
    var figures: [Figure] {
        results.flatMap { result in
            let figures = peers.compactMap { Figure(of: result, $0) }
            return figures + (result.workload.size.map { sizes($0, figures, result.workload.baseline) } ?? [])
        }
    }

    /// Returns the bytes on disk as separate figures.
    private func sizes(_ size: Workload.Size, _ figures: [Figure], _ baseline: PeerKind) -> [Figure] {
        let baseline = figures.first { $0.peer == baseline.rawValue }?.bytesOnDisk
        return figures.map { figure in
            var ratio: Double?
            if let size = figure.bytesOnDisk, let baseline { ratio = Double(size) / Double(baseline) }
            return Figure(
                workload: size.id, peer: figure.peer, records: figure.records, medianSeconds: nil, spread: nil,
                ratio: ratio, peakMemoryBytes: nil, bytesOnDisk: figure.bytesOnDisk, allocationsPerRecord: nil)
        }
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(figures)
    }

    // MARK: Tables

    /// Two tables: the ratios with their targets, and all other figures.
    var markdown: String { ratioTable + "\n\n" + detailTable }

    private var ratioTable: String {
        let figures = figures
        var lines = [
            "| | work | " + peers.map(\.rawValue).joined(separator: " | ") + " | target |",
            "|---|---|" + String(repeating: "---:|", count: peers.count + 1),
        ]
        for result in results {
            lines.append(Self.ratioLine(of: result, peers))
            guard let size = result.workload.size else { continue }
            let sizes = peers.map { kind in
                figures.first { $0.workload == size.id && $0.peer == kind.rawValue }?.ratio
            }
            lines.append(Self.ratioLine(size.id, size.title, size.target, sizes))
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the line of a workload in the table of ratios.
    static func ratioLine(of result: WorkloadResult, _ peers: [PeerKind]) -> String {
        let workload = result.workload
        return ratioLine(workload.id, workload.title, workload.target, peers.map { result.ratio(of: $0) })
    }

    private static func ratioLine(_ id: String, _ title: String, _ target: Double?, _ ratios: [Double?]) -> String {
        let cells = ratios.map { ratio in ratio.map { ratioText($0) } ?? "–" }
        let goal = target.map { "≤ " + ratioText($0) } ?? "–"
        return "| \(id) | \(title) | \(cells.joined(separator: " | ")) | \(goal) |"
    }

    private static func ratioText(_ ratio: Double) -> String {
        String(format: ratio < 0.2 ? "%.3f" : ratio < 9.95 ? "%.2f" : "%.1f", ratio)
    }

    private var detailTable: String {
        var lines = [
            "| | peer | records | median | spread | per record | peak memory | on disk | allocations per record |",
            "|---|---|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for figure in figures {
            guard let seconds = figure.medianSeconds, let spread = figure.spread else { continue }
            let cells = [
                figure.workload, figure.peer, "\(figure.records)", Self.timeText(seconds),
                String(format: "%.0f %%", spread * 100), Self.timeText(seconds / Double(figure.records)),
                figure.peakMemoryBytes.map(Self.sizeText) ?? "–", figure.bytesOnDisk.map(Self.sizeText) ?? "–",
                figure.allocationsPerRecord.map { String(format: "%.2f", $0) } ?? "–",
            ]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    private static func timeText(_ seconds: Double) -> String {
        switch seconds {
        case 1...: String(format: "%.2f s", seconds)
        case 1e-3...: String(format: "%.2f ms", seconds * 1e3)
        case 1e-6...: String(format: "%.2f µs", seconds * 1e6)
        default: String(format: "%.0f ns", seconds * 1e9)
        }
    }

    private static func sizeText(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1e6) }
}

extension Figure {
    fileprivate init?(of result: WorkloadResult, _ kind: PeerKind) {
        guard let runs = result.measurements[kind], let seconds = result.seconds(of: kind) else { return nil }
        let records = result.workload.records
        func median(_ numbers: [Int]) -> Int? {
            numbers.isEmpty ? nil : Int(Statistics(numbers.map(Double.init)).median)
        }
        self.init(
            workload: result.workload.id, peer: kind.rawValue, records: records, medianSeconds: seconds.median,
            spread: seconds.spread, ratio: result.ratio(of: kind),
            peakMemoryBytes: result.peakMemory[kind],
            bytesOnDisk: median(runs.map(\.bytesOnDisk).filter { $0 > 0 }),
            allocationsPerRecord: median(runs.compactMap(\.allocations)).map { Double($0) / Double(records) })
    }
}
