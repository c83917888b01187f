// The stored form of the changes of a commit, for other processes.
//
//     changes = item*                                   a type can have several items
//     item    = keyPrefix(UInt32) form(UInt8) content
//     content =                                         form 0: any record of the type
//             | keys([[UInt8]])                         form 1: the records with these keys
//             | lower([UInt8]) upper([UInt8]?)          form 2: the records with keys from `lower` on, below `upper`

import TroveCoding

/// The forms of items. A number never changes its meaning.
private enum Form: UInt8 {
    case any = 0
    case keys = 1
    case range = 2

    /// The size of a key prefix and a form.
    static let headSize = 5

    func writeHead(of keyPrefix: UInt32, _ writer: inout ValueWriter) {
        writer.writeInteger(keyPrefix)
        writer.writeByte(rawValue)
    }
}

extension ChangedKeys {
    private typealias Listed = ArraySlice<(type: UInt32, key: ArraySlice<UInt8>)>

    /// Returns the stored form, or, if it is too long, the form with the types alone; nil if both are too long, or for
    /// changes that are ``isEverything``.
    ///
    /// - Parameter limit: The maximum number of bytes.
    func encoded(upTo limit: Int) throws(CodingError) -> [UInt8]? {
        if isEverything { return nil }
        if let bytes = try encoding(limit) { return bytes }
        var onlyTypes = ChangedKeys()
        for keyPrefix in types { onlyTypes.noteAny(keyPrefix) }
        return try onlyTypes.encoding(limit)
    }

    private func encoding(_ limit: Int) throws(CodingError) -> [UInt8]? {
        let listed = listed
        var size = Form.headSize * wholeTypes.count
        forEachRun(of: listed) { size += Form.headSize + Self.size(of: $0) }
        for range in ranges.values.joined() { size += Form.headSize + Self.size(of: range) }
        guard size <= limit else { return nil }
        return try ValueWriter.bytes(count: size) { writer in
            for keyPrefix in wholeTypes.sorted() { Form.any.writeHead(of: keyPrefix, &writer) }
            forEachRun(of: listed) { Self.encode($0, &writer) }
            for (keyPrefix, ranges) in ranges.sorted(by: { $0.key < $1.key }) {
                for range in ranges {
                    Form.range.writeHead(of: keyPrefix, &writer)
                    range.lower.encode(into: &writer)
                    range.upper.encode(into: &writer)
                }
            }
        }
    }

    /// Calls a closure with the keys of the same type that follow each other.
    private func forEachRun(of listed: [(type: UInt32, key: ArraySlice<UInt8>)], _ body: (Listed) -> Void) {
        var rest = listed[...]
        while let first = rest.first {
            let run = rest.prefix { $0.type == first.type }
            body(run)
            rest = rest[run.endIndex...]
        }
    }

    private static func size(of run: Listed) -> Int {
        run.reduce(ValueWriter.size(ofLength: run.count)) { size, listed in
            size + ValueWriter.size(ofLength: listed.key.count) + listed.key.count
        }
    }

    private static func size(of range: KeyRange) -> Int {
        let ends = [range.lower] + (range.upper.map { [$0] } ?? [])
        return ends.reduce(1) { $0 + ValueWriter.size(ofLength: $1.count) + $1.count }
    }

    private static func encode(_ run: Listed, _ writer: inout ValueWriter) {
        guard let keyPrefix = run.first?.type else { return }
        Form.keys.writeHead(of: keyPrefix, &writer)
        writer.writeLength(run.count)
        for listed in run {
            writer.writeLength(listed.key.count)
            listed.key.withRawSpan { writer.writeBytes($0) }
        }
    }
}

extension ChangedKeys {
    /// Reads the stored form, up to its end.
    init(decoding reader: inout ValueReader, count: Int) throws(CodingError) {
        self.init()
        let end = reader.remaining - count
        guard end >= 0 else { throw reader.malformed("the changes of a commit") }
        while reader.remaining > end {
            let keyPrefix: UInt32 = try reader.readInteger()
            switch Form(rawValue: try reader.readByte()) {
            case .any:
                noteAny(keyPrefix)
            case .keys:
                for _ in 0..<(try reader.readCount()) {
                    let length = try reader.readLength()
                    try reader.withBytes(count: length) { note(keyPrefix, $0) }
                }
            case .range:
                let lower = try [UInt8](decoding: &reader)
                note(keyPrefix, KeyRange(lower: lower, upper: try [UInt8]?(decoding: &reader)))
            case nil:
                throw reader.malformed("a form of changes")
            }
        }
        guard reader.remaining == end else { throw reader.malformed("the end of the changes of a commit") }
    }
}
