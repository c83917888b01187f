// The lines of `trove top`: a sample as a person reads it, in the size of a terminal.

import LMDB
import TroveTerminal

/// A frame of `trove top`.
struct TopFrame {
    /// A line, and whether it is a heading.
    struct Line: Hashable {
        var text: String
        var isHeading = false
    }

    let lines: [Line]

    /// The number of types in a frame that is not as high as a terminal.
    private static let typeLimit = 20

    /// Lays out a sample.
    ///
    /// - Parameters:
    ///   - size: The size of the terminal; nil for lines of any width, and the largest types.
    ///   - footer: The last line, such as the keys; nil for none.
    init(_ sample: TopSample, size: TerminalSize?, footer: String? = nil) {
        var lines = Self.head(sample)
        let end = footer.map { [Line(text: $0)] } ?? []
        // The numbers beside a name have some 44 columns.
        let nameLimit = size.map { max(8, $0.columns - 44) } ?? .max
        var left: Int?
        if let size {
            let rest = max(0, size.rows - lines.count - end.count)
            // The readers have a third of the rest, and more if there are few types.
            let readerRows = max(rest / 3, rest - sample.types.count - Self.linesOfASection)
            lines += Self.readers(sample, rows: readerRows, nameLimit)
            left = size.rows - lines.count - end.count
        } else {
            lines += Self.readers(sample, rows: nil, nameLimit)
        }
        lines += Self.types(sample, rows: left ?? Self.typeLimit + Self.linesOfASection, nameLimit)
        if let size { lines = Array(lines.prefix(max(0, size.rows - end.count))) }
        lines += end
        self.lines = lines.map { line in
            let text = FileFinding.printable(line.text)
            return Line(text: size.map { text.cut(to: max(1, $0.columns)) } ?? text, isHeading: line.isHeading)
        }
    }

    private static func head(_ sample: TopSample) -> [Line] {
        let rate = sample.commitsPerSecond.map { ", \($0.tenths) a second" } ?? ""
        let share = sample.usedBytes > 0 ? Double(sample.freeBytes) / Double(sample.usedBytes) * 100 : 0
        let slots = "\(sample.readerSlots.grouped) of \(sample.maximumReaders.grouped) slots"
        return [
            Line(text: sample.path, isHeading: true),
            Line(text: "commits  \(Int(clamping: sample.commit).grouped)\(rate)"),
            Line(
                text: "file     \(bytes(sample.usedBytes)) used, \(bytes(sample.freeBytes)) free "
                    + "(\(share.tenths) %), map \(bytes(sample.mapBytes))"),
            Line(text: "readers  \(counted(sample.readers.reduce(0) { $0 + $1.reads }, "read")), \(slots)"),
        ]
    }

    private static func readers(_ sample: TopSample, rows: Int?, _ nameLimit: Int) -> [Line] {
        section(
            sample.readers.map { reader in
                [
                    ("process", "\(reader.process)", true), ("name", reader.name ?? "", false),
                    ("reads", reader.reads.grouped, true), ("commits since", reader.commitsBehind.grouped, true),
                    ("seen for", age(reader.seconds), true),
                ]
            }, rows: rows, nameLimit, "reader")
    }

    private static func types(_ sample: TopSample, rows: Int, _ nameLimit: Int) -> [Line] {
        let hasChanges = sample.types.contains { $0.recordsChange != nil }
        return section(
            sample.types.map { type in
                let changes: [Cell] = [
                    ("+ records", change(type.recordsChange) { $0.grouped }, true),
                    ("+ bytes", change(type.bytesChange, bytes), true),
                ]
                return [
                    ("type", type.name, false), ("records", type.records.grouped, true),
                    ("bytes", bytes(type.bytes), true),
                ] + (hasChanges ? changes : [])
            }, rows: rows, nameLimit, "type")
    }

    private typealias Cell = (column: String, text: String, isNumber: Bool)

    /// The number of lines of a section beside its rows: an empty line, the heading, and the number of rows left out.
    private static let linesOfASection = 3

    /// Returns a table after an empty line, with as many rows as fit, and with names up to a width. The last line then
    /// says how many rows are left out.
    private static func section(
        _ rows: [[Cell]], rows limit: Int?, _ nameLimit: Int, _ noun: String
    ) -> [Line] {
        var count = rows.count
        if let limit, count > limit - linesOfASection + 1 { count = limit - linesOfASection }
        guard count > 0 else { return [] }
        let left = rows.count - count
        return [Line(text: "")] + table(Array(rows.prefix(count)), nameLimit)
            + (left > 0 ? [Line(text: "… and \(counted(left, noun)) more")] : [])
    }

    /// Returns the lines of a table with a heading.
    private static func table(_ rows: [[Cell]], _ nameLimit: Int) -> [Line] {
        let cells = rows.map { row in
            // A name with a line end must not break the row.
            row.map { TextTable.Cell(column: $0.column, text: FileFinding.printable($0.text), isNumber: $0.isNumber) }
        }
        var table = TextTable(widthLimit: nameLimit)
        for row in cells { table.measure(row) }
        return table.header.prefix(1).map { Line(text: $0, isHeading: true) } + cells.map { Line(text: table.line($0)) }
    }

    // MARK: Numbers

    private static func change(_ change: Int?, _ text: (Int) -> String) -> String {
        guard let change, change != 0 else { return "" }
        return change > 0 ? "+" + text(change) : "-" + text(Int(clamping: change.magnitude))
    }

    /// Returns a number of bytes in its largest unit.
    private static func bytes(_ count: Int) -> String {
        var (size, unit) = (Double(count), 0)
        let units = ["bytes", "KB", "MB", "GB", "TB", "PB"]
        while size >= 1024, unit < units.count - 1 { (size, unit) = (size / 1024, unit + 1) }
        return unit == 0 ? "\(count.grouped) bytes" : "\(size.tenths) \(units[unit])"
    }

    /// Returns a time in its two largest units.
    private static func age(_ seconds: Double) -> String {
        let seconds = Int(max(0, min(seconds, 1e12)))
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\((seconds / 3_600).grouped) h \(seconds % 3_600 / 60) min"
    }
}
