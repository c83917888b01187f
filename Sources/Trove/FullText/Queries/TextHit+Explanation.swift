// The explanation of a hit's score.
//
//     score 2.153
//     fullText(title,body): 1,204 records of 35.2 words on average, this one of 12 words
//       swift: 1.201, in 88 records; 1 × title, 2 × body
//       "ordered store": 0.952, in 30 and 12 records; 1 × body
//       databse~ (database): 0.714, in 102 records; 1 × body

import TroveCoding

extension TextHit {
    /// The score, and the part of it that each word and phrase of the query adds, with the number of records that have
    /// it, its places in the record, and the length of the record.
    ///
    /// It is made from the record's texts at each call. A record does not have its gathered text, so the words of such
    /// a text are left out.
    ///
    /// - Complexity: O(*n*) in the length of the texts.
    public var explanation: String {
        let parts = scoreParts
        var lines = ["score \(score)"]
        if parts.isEmpty {
            let isGathered = score > 0 && !Record.schema.gatherings.isEmpty
            lines.append(isGathered ? "its words are those of gathered text" : "no word of the query adds to it")
        }
        var index: String?
        for part in parts {
            if part.words.index != index { lines.append(Self.line(aboutIndexOf: part)) }
            index = part.words.index
            lines.append("  " + Self.line(about: part))
        }
        return lines.joined(separator: "\n")
    }

    /// The part of the score that each word and phrase adds.
    var scoreParts: [ScorePart] {
        var parts: [ScorePart] = []
        if let clause { _ = Record.score(of: record, clause, &parts) }
        return parts
    }

    private static func line(aboutIndexOf part: ScorePart) -> String {
        let scoring = part.words.scoring
        let average = (scoring.averageLength * 100).rounded() / 100
        return "\(part.words.index): \(scoring.documentCount) records of \(average) words on average, "
            + "this one of \(part.length)"
    }

    private static func line(about part: ScorePart) -> String {
        let index = Record.schema.indexes.first { $0.text == part.words.index }
        let places = zip(part.words.fields.fields, part.frequencies).filter { $0.1 > 0 }.map { field, frequency in
            "\(Int(frequency)) × \(index?.properties[field] ?? "")"
        }
        let counts = part.words.words.map { "\($0.count)" }.joined(separator: " and ")
        let found = part.found.isEmpty ? "" : " (\(part.found.joined(separator: ", ")))"
        return "\(part.words)\(found): \(part.score), in \(counts) records; \(places.joined(separator: ", "))"
    }
}
