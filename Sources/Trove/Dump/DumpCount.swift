// The number of records in a dump: a dump ends with a line that says it, so that a cut dump is noticed.

extension String {
    /// The text without a byte order mark at its beginning.
    var withoutByteOrderMark: String { hasPrefix("\u{FEFF}") ? String(unicodeScalars.dropFirst()) : self }
}

/// A count of the lines of a text, which may be a dump, several dumps one after the other, or records alone.
struct DumpCount {
    /// The number of records of the current dump.
    private var records = 0
    /// Whether the current dump must have an end, and has not ended.
    private var isOpen = false
    /// Whether the last dump has ended.
    private var hasEnded = false
    /// Whether there was a line.
    private var isEmpty = true
    /// Whether there was a dump of an earlier form, which does not show whether it is complete.
    private(set) var hasFormWithoutEnd = false

    /// Counts a line.
    ///
    /// - Parameter number: The number of the line.
    /// - Throws: ``LoadError`` for a dump without an end, with another number of records, or with lines after its end.
    mutating func add(_ line: DumpLine, number: Int) throws(LoadError) {
        isEmpty = false
        switch line {
        case .format(let format):
            try finish(line: number)
            guard format <= DumpLine.format else { throw LoadError(line: number, .formatTooNew(format)) }
            isOpen = format >= DumpLine.formatWithEnd
            hasFormWithoutEnd = hasFormWithoutEnd || !isOpen
            (records, hasEnded) = (0, false)
        case .end(let expected):
            guard !hasEnded, expected == records else {
                throw LoadError(line: number, .otherCount(dumped: expected, found: records))
            }
            (isOpen, hasEnded) = (false, true)
        case .record, .type, .version:
            if hasEnded { throw LoadError(line: number, .afterEnd) }
            if case .record = line { records += 1 }
        }
    }

    /// Ends the text.
    ///
    /// - Parameter line: The number of the last line.
    /// - Throws: ``LoadError`` for a text without a line, and for a dump without an end.
    func finish(line: Int) throws(LoadError) {
        if isEmpty { throw LoadError(line: 0, .emptyText) }
        if isOpen { throw LoadError(line: line, .endMissing(records: records)) }
    }
}
