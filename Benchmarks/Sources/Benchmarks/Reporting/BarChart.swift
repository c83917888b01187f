// The ratios as a bar chart in SVG, on a logarithmic scale, for light and for dark pages.

import Foundation

/// A chart of the ratios of all workloads.
struct BarChart {
    /// The colors of a chart.
    struct Theme {
        let name: String
        let text: String
        let grid: String
        let bars: [PeerKind: String]

        static let light = Theme(
            name: "light", text: "#1f2328", grid: "#d1d9e0",
            bars: [.trove: "#0969da", .grdbFast: "#bf8700", .grdbCodable: "#8c959f"])
        static let dark = Theme(
            name: "dark", text: "#e6edf3", grid: "#3d444d",
            bars: [.trove: "#4493f8", .grdbFast: "#d29922", .grdbCodable: "#7d8590"])
    }

    let figures: [Figure]
    private let peers: [PeerKind] = [.trove, .grdbFast, .grdbCodable]
    private let left = 70.0, right = 70.0, width = 760.0, barHeight = 9.0, gap = 12.0, top = 56.0

    /// - Parameter figures: The figures; comparisons of a peer with itself are left out.
    init(_ figures: [Figure]) {
        let comparable = figures.filter { $0.peer == PeerKind.baseline.rawValue && $0.ratio == 1 }.map(\.workload)
        self.figures = figures.filter { comparable.contains($0.workload) }
    }

    /// Writes the chart for both themes into a directory, and creates the directory if necessary.
    func write(to directory: URL) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for theme in [Theme.light, .dark] {
            try Data(svg(theme).utf8).write(to: directory.appending(path: "ratios-\(theme.name).svg"))
        }
    }

    private func svg(_ theme: Theme) -> String {
        var workloads: [String] = []
        for figure in figures where figure.ratio != nil && !workloads.contains(figure.workload) {
            workloads.append(figure.workload)
        }
        let groupHeight = Double(peers.count) * (barHeight + 1) + gap
        let height = top + Double(workloads.count) * groupHeight + 12
        var body = legend(theme) + grid(theme, bottom: height - 12)
        for (index, workload) in workloads.enumerated() {
            body += group(workload, theme, y: top + Double(index) * groupHeight)
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
            font-family="system-ui, sans-serif" font-size="11" fill="\(theme.text)">
            <title>Time beside liblmdb's, by workload; shorter is better</title>
            \(body.joined(separator: "\n"))
            </svg>

            """
    }

    private func legend(_ theme: Theme) -> [String] {
        var parts = ["<text x=\"\(left)\" y=\"16\" font-weight=\"600\">Time, liblmdb = 1; shorter is better</text>"]
        for (index, peer) in peers.enumerated() {
            let x = 400 + Double(index) * 110
            parts.append("<rect x=\"\(x)\" y=\"7\" width=\"10\" height=\"10\" fill=\"\(theme.bars[peer] ?? "")\"/>")
            parts.append("<text x=\"\(x + 15)\" y=\"16\">\(peer.rawValue)</text>")
        }
        return parts
    }

    private func grid(_ theme: Theme, bottom: Double) -> [String] {
        ticks.flatMap { tick in
            let x = position(tick)
            let label = tick < 1 ? String(format: "%g", tick) : String(Int(tick))
            return [
                "<line x1=\"\(number(x))\" x2=\"\(number(x))\" y1=\"\(top - 8)\" y2=\"\(bottom)\" "
                    + "stroke=\"\(theme.grid)\" stroke-width=\"\(tick == 1 ? 1.5 : 0.6)\"/>",
                "<text x=\"\(number(x))\" y=\"\(top - 13)\" text-anchor=\"middle\">\(label)</text>",
            ]
        }
    }

    private func group(_ workload: String, _ theme: Theme, y: Double) -> [String] {
        var parts = [
            "<text x=\"\(left - 10)\" y=\"\(y + 19)\" text-anchor=\"end\" font-weight=\"600\">\(workload)</text>"
        ]
        for (index, peer) in peers.enumerated() {
            guard let ratio = figures.first(where: { $0.workload == workload && $0.peer == peer.rawValue })?.ratio
            else { continue }
            let top = y + Double(index) * (barHeight + 1)
            let end = position(ratio), start = position(scale.lowerBound)
            parts.append(
                "<rect x=\"\(number(start))\" y=\"\(number(top))\" width=\"\(number(max(1, end - start)))\" "
                    + "height=\"\(barHeight)\" rx=\"1.5\" fill=\"\(theme.bars[peer] ?? "")\"/>")
            let text = String(format: ratio < 0.2 ? "%.3f" : "%.2f", ratio)
            parts.append("<text x=\"\(number(end + 5))\" y=\"\(number(top + 8.5))\" font-size=\"9\">\(text)</text>")
        }
        return parts
    }

    // MARK: Scale

    /// From a power of ten below the least ratio to a power of ten above the greatest.
    private var scale: ClosedRange<Double> {
        let ratios = figures.compactMap { figure in peers.contains { $0.rawValue == figure.peer } ? figure.ratio : nil }
            .filter { $0 > 0 }
        let least = min(0.1, pow(10, (log10(ratios.min() ?? 1)).rounded(.down)))
        let greatest = max(10, pow(10, (log10(ratios.max() ?? 1)).rounded(.up)))
        return least...greatest
    }

    private var ticks: [Double] {
        let decades = Int(log10(scale.lowerBound).rounded())...Int(log10(scale.upperBound).rounded())
        return decades.map { pow(10, Double($0)) }
    }

    private func position(_ ratio: Double) -> Double {
        let part = log10(ratio / scale.lowerBound) / log10(scale.upperBound / scale.lowerBound)
        return left + max(0, part) * (width - left - right)
    }

    private func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
