// A reader of comma-separated values (RFC 4180). `CSVText.swift` has the grammar.

/// A reader of rows.
struct CSVReader {
    private let nextLine: () throws -> String?
    /// The number of the last line that was read.
    private(set) var line = 0

    /// - Parameter nextLine: Returns the next line without its line feed; nil at the end.
    init(_ nextLine: @escaping () throws -> String?) { self.nextLine = nextLine }

    /// Returns the next row; nil at the end.
    ///
    /// - Parameter skipsEmptyLines: Whether an empty line is no row. In a row of a single column, it is an empty field.
    /// - Throws: ``LoadError`` for quotes in the wrong place, and the errors of the closure.
    mutating func next(skipsEmptyLines: Bool = true) throws -> [CSVField]? {
        var text = ""
        repeat {
            guard let next = try nextLine() else { return nil }
            line += 1
            // The bytes of a file may begin with a byte order mark.
            text = line == 1 ? next.withoutByteOrderMark : next
        } while skipsEmptyLines && (text.isEmpty || text == "\r")
        let start = line
        var fields: [CSVField] = []
        var bytes = Array(text.utf8)
        var position = 0
        while true {
            fields.append(try field(&bytes, &position, start))
            if position == bytes.count { return fields }
            position += 1
        }
    }

    /// Reads a field up to its comma or the end of the row.
    private mutating func field(_ bytes: inout [UInt8], _ position: inout Int, _ start: Int) throws -> CSVField {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            let end = bytes[position...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
            var content = bytes[position..<end]
            position = end
            if end == bytes.count, content.last == UInt8(ascii: "\r") { content.removeLast() }
            guard !content.contains(UInt8(ascii: "\"")) else { throw LoadError(line: line, .malformedCSV("no quote")) }
            return CSVField(text: String(decoding: content, as: UTF8.self), isQuoted: false)
        }
        var content: [UInt8] = []
        position += 1
        while true {
            guard let quote = bytes[position...].firstIndex(of: UInt8(ascii: "\"")) else {
                content += bytes[position...] + [UInt8(ascii: "\n")]
                guard let next = try nextLine() else {
                    throw LoadError(line: start, .malformedCSV("the closing quote of a field"))
                }
                line += 1
                bytes = Array(next.utf8)
                position = 0
                continue
            }
            content += bytes[position..<quote]
            position = quote + 1
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { break }
            content.append(UInt8(ascii: "\""))
            position += 1
        }
        if position == bytes.count - 1, bytes[position] == UInt8(ascii: "\r") { position += 1 }
        guard position == bytes.count || bytes[position] == UInt8(ascii: ",") else {
            throw LoadError(line: line, .malformedCSV("a comma after a closing quote"))
        }
        return CSVField(text: String(decoding: content, as: UTF8.self), isQuoted: true)
    }
}
