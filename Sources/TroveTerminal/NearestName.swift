// Suggestions for a misspelled name. The macros have their own: a macro plugin shares no module with the command.

/// Suggests the intended name.
package enum NearestName {
    /// Returns a question for the candidate with the fewest edits, such as ` Did you mean “verify”?`; an empty text if
    /// every candidate differs in half of its characters.
    package static func question(for name: String, among candidates: [String]) -> String {
        of(name, among: candidates).map { " Did you mean “\($0)”?" } ?? ""
    }

    /// Returns the candidate with the fewest edits; nil if it differs in half of its characters.
    package static func of(_ name: String, among candidates: [String]) -> String? {
        let scored = candidates.map { (distance: distance($0, name), candidate: $0) }
        guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance * 2 < max(best.candidate.count, name.count) ? best.candidate : nil
    }

    /// Returns the number of characters to insert, remove, replace or swap to turn one text into the other, ignoring
    /// case.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased())
        let right = Array(right.lowercased())
        var rows = [Array(0...right.count)]
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                let replaced = rows[i][j] + (left[i] == right[j] ? 0 : 1)
                var edits = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    edits = min(edits, rows[i - 1][j - 1] + 1)
                }
                row.append(edits)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
