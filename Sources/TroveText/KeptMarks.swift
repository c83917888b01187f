// The marks that folding does not remove.

/// Which marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters are kept.
enum KeptMarks: Sendable {
    case none
    case letters(MarkedLetters)
    case all
}

/// Letters with marks that are letters of their own in a language, such as å, ä and ö.
struct MarkedLetters: Sendable {
    /// The letters in their folded form, sorted, each once.
    let description: String
    /// The marks of the letters of each base, in canonical order; the longest first.
    private var marks: [UInt32: [[UInt32]]] = [:]

    /// Takes the letters of a text in both cases. A letter without a mark that folding removes has no effect.
    init(_ letters: String) {
        let small = Self.clusters(letters.lowercased())
        for cluster in Self.clusters(letters) + Self.clusters(letters.uppercased()) + small {
            let list = Array(cluster[1...])
            if !marks[cluster[0], default: []].contains(list) { marks[cluster[0], default: []].append(list) }
        }
        for base in marks.keys { marks[base]?.sort { $0.count > $1.count } }
        description = Self.names(small)
    }

    /// Returns the marks of a cluster that belong to one of the letters.
    func marks(of base: UInt32, among given: [TermBuilder.Mark]) -> [TermBuilder.Mark] {
        for letter in marks[base] ?? [] {
            var rest = letter[...]
            let kept = given.filter { mark in
                guard let index = rest.firstIndex(of: mark.scalar) else { return false }
                rest.remove(at: index)
                return true
            }
            if rest.isEmpty { return kept }
        }
        return []
    }

    /// The bases that have marks to lose, with their marks, decomposed.
    private static func clusters(_ text: String) -> [[UInt32]] {
        var result: [[UInt32]] = []
        func take(_ scalar: UInt32) {
            if ScalarProperties(of: scalar).scalarClass == .mark, !result.isEmpty {
                result[result.count - 1].append(scalar)
            } else {
                result.append([scalar])
            }
        }
        for scalar in text.unicodeScalars.map(\.value) {
            guard ScalarProperties(of: scalar).isDecomposed else {
                take(scalar)
                continue
            }
            let parts = ScalarSequence(decomposing: scalar)
            for index in 0..<parts.count { take(parts[index]) }
        }
        return result.filter { $0.count > 1 && ScalarProperties(of: $0[0]).losesMarks }
    }

    private static func names(_ clusters: [[UInt32]]) -> String {
        let names = clusters.map { cluster in
            var builder = TermBuilder(keeping: .all)
            builder.append(cluster[0], losesMarks: false)
            for mark in cluster.dropFirst() {
                builder.append(mark: mark, combiningClass: ScalarProperties(of: mark).combiningClass)
            }
            builder.finish()
            return String(decoding: builder.bytes, as: UTF8.self)
        }
        return Set(names).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.joined()
    }
}
