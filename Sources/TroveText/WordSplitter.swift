// The words of the analyzer `standard/1`: Unicode's word boundaries (UAX #29), tailored.
//
// - Text is folded first, scalar by scalar, and split afterwards. Therefore all spellings that Unicode calls
//   compatible have the same words: ½ is `1⁄2`, and so the words 1 and 2.
// - Punctuation never joins: `can't`, `example.com` and `snake_case` are several words. Each part is found, and all of
//   them as a phrase.
// - Scripts without spaces between words become overlapping pairs of signs.
// - Pictographs (emoji) are words.
//
// ASCII is split byte by byte, without tables.

/// The words of a text, in order.
struct WordSplitter {
    /// What the scalars of the open word are.
    private enum Kind {
        case none, letters, katakana, signs, single, pictographs, halfFlag, flag
    }

    /// The signs of an open run, at the end of the term.
    private struct Run {
        /// The offsets of the last two signs in the term. The former is negative in the first sign of a run.
        var former = -1
        var last = 0
        /// The offset of the former sign in the text.
        var formerStart = 0
    }

    private let folding: Folding
    private var term: TermBuilder
    private var kind = Kind.none
    private var run = Run()
    /// The place of the open word in the text; of the last sign in a run.
    private var start = 0
    private var end = 0
    private var followsJoiner = false
    /// The number of words so far.
    private(set) var position = 0

    init(_ folding: Folding) {
        self.folding = folding
        term = TermBuilder(keeping: folding.keptMarks)
    }

    /// Splits a text.
    mutating func visit(_ text: RawSpan, _ body: TokenVisitor) rethrows {
        var offset = 0
        while offset < text.byteCount {
            let byte = text.byte(at: offset)
            if byte >= 0x80 {
                offset = try visitScalars(text, from: offset, body)
            } else if Self.isWord(byte) {
                offset = try visitWord(text, from: offset, body)
            } else {
                offset += 1
            }
        }
    }

    /// Splits a text by the tables alone.
    mutating func visitByTables(_ text: RawSpan, _ body: TokenVisitor) rethrows {
        var offset = 0
        while offset < text.byteCount { offset = try visitScalars(text, from: offset, body) }
    }

    // MARK: ASCII

    @inline(__always)
    private static func isWord(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }

    /// Visits the word of ASCII letters and digits that begins at an offset, and returns the offset after it. A word
    /// with other letters is left to the tables.
    @inline(__always)
    private mutating func visitWord(_ text: RawSpan, from start: Int, _ body: TokenVisitor) rethrows -> Int {
        var end = start
        var hasUpperCase = false
        while end < text.byteCount {
            let byte = text.byte(at: end)
            guard Self.isWord(byte) else {
                if byte >= 0x80 { return try visitScalars(text, from: start, body) }
                break
            }
            hasUpperCase = hasUpperCase || byte &- 0x41 < 26
            end += 1
        }
        let place = TokenPlace(position: position, range: start..<end)
        position += 1
        if hasUpperCase, !folding.keepsCase {
            term.append(lowercasing: text, start..<end)
            try term.bytes.withRawSpan(of: 0..<term.bytes.count) { try body($0, place) }
            term.removeAll()
        } else {
            try body(text.extracting(start..<end), place)
        }
        return end
    }

    // MARK: All scripts

    /// Visits words from an offset to the end of the first that an ASCII byte ends, and returns the offset after this
    /// byte.
    private mutating func visitScalars(_ text: RawSpan, from start: Int, _ body: TokenVisitor) rethrows -> Int {
        var offset = start
        while offset < text.byteCount {
            let (scalar, count) = text.scalar(at: offset)
            let range = offset..<offset &+ count
            offset = range.upperBound
            if scalar < 0x80, !Self.isWord(UInt8(truncatingIfNeeded: scalar)) { break }
            let properties = ScalarProperties(of: scalar)
            if let sequence = folding.sequence(of: scalar, properties) {
                for index in 0..<sequence.count {
                    let part = sequence[index]
                    try take(part, ScalarProperties(of: part), at: range, body)
                }
            } else if scalar == Self.keycap, kind == .none {
                try visitKeycap(text, at: range, body)
            } else {
                try take(scalar, properties, at: range, body)
            }
        }
        try close(body)
        return offset
    }

    private mutating func take(
        _ scalar: UInt32, _ properties: ScalarProperties, at range: Range<Int>, _ body: TokenVisitor
    ) rethrows {
        let scalarClass = properties.scalarClass
        let isJoined = followsJoiner
        followsJoiner = scalarClass == .joiner && kind != .none
        switch scalarClass {
        case .letter: try add(scalar, properties, to: .letters, at: range, body)
        case .katakana where scalar == Self.longVowel && kind == .signs: try addSign(scalar, at: range, body)
        case .katakana: try add(scalar, properties, to: .katakana, at: range, body)
        case .sign: try addSign(scalar, at: range, body)
        case .mark:
            guard kind != .none else { return }
            term.append(mark: scalar, combiningClass: properties.combiningClass)
            end = range.upperBound
        case .tatweel:
            if folding.keepsAllMarks { return try add(scalar, properties, to: .letters, at: range, body) }
            if kind == .letters { end = range.upperBound } else { try open(.letters, at: range, body) }
            term.appendNothing()
        case .single, .unassigned:
            try open(.single, at: range, body)
            term.append(scalar, losesMarks: false)
        case .pictograph:
            if isJoined, kind != .signs, !term.isEmpty {
                term.append(Self.joiner, losesMarks: true)
                kind = .pictographs
            } else {
                try open(.pictographs, at: range, body)
            }
            term.append(scalar, losesMarks: true)
            end = range.upperBound
        case .regional:
            if kind == .halfFlag { kind = .flag } else { try open(.halfFlag, at: range, body) }
            term.append(scalar, losesMarks: true)
            end = range.upperBound
        case .tag:
            if kind == .pictographs { term.append(scalar, losesMarks: true) }
            if kind != .none { end = range.upperBound }
        case .ignoredMark: if kind != .none { end = range.upperBound }
        case .joiner, .format: break
        case .separator: try close(body)
        }
    }

    private static let joiner: UInt32 = 0x200D
    private static let keycap: UInt32 = 0x20E3
    /// The mark of a long vowel is a Katakana letter, and follows Hiragana too.
    private static let longVowel: UInt32 = 0x30FC

    @inline(__always)
    private mutating func add(
        _ scalar: UInt32, _ properties: ScalarProperties, to wanted: Kind, at range: Range<Int>, _ body: TokenVisitor
    ) rethrows {
        if kind == wanted { end = range.upperBound } else { try open(wanted, at: range, body) }
        term.append(scalar, losesMarks: properties.losesMarks)
    }

    /// Closes the open word, and begins another.
    private mutating func open(_ kind: Kind, at range: Range<Int>, _ body: TokenVisitor) rethrows {
        try close(body)
        self.kind = kind
        start = range.lowerBound
        end = range.upperBound
    }

    private mutating func close(_ body: TokenVisitor) rethrows {
        guard kind != .none else { return }
        term.finish()
        if kind == .signs {
            if run.former >= 0 { try visitPair(body) }
            try visit(run.last..<term.bytes.count, at: start..<end, isLastSign: true, body)
        } else {
            try visit(0..<term.bytes.count, at: start..<end, body)
        }
        kind = .none
        followsJoiner = false
        term.removeAll()
    }

    /// Visits a part of the term; nothing, if the part is empty.
    private mutating func visit(
        _ part: Range<Int>, at range: Range<Int>, isLastSign: Bool = false, secondSign: Int? = nil,
        _ body: TokenVisitor
    ) rethrows {
        guard !part.isEmpty else { return }
        let place = TokenPlace(position: position, range: range, isLastSign: isLastSign, secondSign: secondSign)
        position += 1
        try term.bytes.withRawSpan(of: part) { try body($0, place) }
    }

    /// Visits `#` or `*` in front of a keycap, with or without a variation selector between them. The keycap of a
    /// digit is the digit.
    private mutating func visitKeycap(_ text: RawSpan, at range: Range<Int>, _ body: TokenVisitor) rethrows {
        var start = range.lowerBound
        if start >= 3, text.scalar(at: start - 3).value == 0xFE0F { start -= 3 }
        guard start >= 1, [0x23, 0x2A].contains(text.byte(at: start - 1)) else { return }
        try open(.single, at: start - 1..<range.upperBound, body)
        term.append(UInt32(text.byte(at: start - 1)), losesMarks: false)
        term.append(mark: Self.keycap, combiningClass: 0)
        try close(body)
    }

    // MARK: Pairs

    /// Adds a sign to a run, and visits the pair in front of it.
    private mutating func addSign(_ scalar: UInt32, at range: Range<Int>, _ body: TokenVisitor) rethrows {
        if kind == .signs {
            term.finish()
            if run.former >= 0 { try visitPair(body) }
            if run.last > Self.compactionSize {
                term.removeFirst(run.last)
                run.last = 0
            }
            run = Run(former: run.last, last: term.bytes.count, formerStart: start)
            start = range.lowerBound
            end = range.upperBound
        } else {
            try open(.signs, at: range, body)
            run = Run()
        }
        term.append(scalar, losesMarks: false)
    }

    /// The term of a long run is shortened at this size.
    private static let compactionSize = 1_000

    /// Visits the last two signs.
    private mutating func visitPair(_ body: TokenVisitor) rethrows {
        try visit(run.former..<term.bytes.count, at: run.formerStart..<end, secondSign: start, body)
    }
}
