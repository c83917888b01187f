// Suggestions for a misspelled name.

/// Suggests the intended name.
enum NearestName {
    /// Returns the candidate with the fewest edits; nil if it differs in more than half of its characters.
    static func of(_ name: String, among candidates: [String]) -> String? {
        let scored = candidates.map { (distance: distance($0, name), candidate: $0) }
        guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance * 2 <= max(best.candidate.count, name.count) ? best.candidate : nil
    }

    /// Returns the number of characters to insert, remove or replace to turn one text into the other, ignoring case.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased())
        let right = Array(right.lowercased())
        var row = Array(0...right.count)
        for i in left.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in right.indices {
                let exchanged = diagonal + (left[i] == right[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(exchanged, min(row[j], row[j + 1]) + 1)
            }
        }
        return row[right.count]
    }
}
