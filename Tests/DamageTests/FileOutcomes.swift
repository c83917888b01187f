// What came of one damaged file, and of all.

import DamageWorker

/// What readers and the verifier make of a file; nil where it killed them.
struct FileOutcomes: CustomStringConvertible {
    var plain: Outcome?
    var checked: Outcome?

    init(_ path: String, _ reader: DamagedFileReader) throws {
        plain = try reader.outcome(of: .plain, path)
        checked = try reader.outcome(of: .checked, path)
    }

    /// What should have been otherwise.
    var violations: [String] {
        var violations: [String] = []
        if plain == .untyped || checked == .untyped { violations.append("the error is none of the store's") }
        if checked == .wrong { violations.append("a record with a wrong content has passed its checksum") }
        return violations
    }

    var description: String {
        "plain \(plain?.rawValue ?? "killed"), checked \(checked?.rawValue ?? "killed")"
    }
}

/// How often what came of a file.
struct DamageSummary: CustomStringConvertible {
    private var plain: [String: Int] = [:]
    private var checked: [String: Int] = [:]

    mutating func add(_ outcomes: FileOutcomes) {
        plain[outcomes.plain?.rawValue ?? "killed", default: 0] += 1
        checked[outcomes.checked?.rawValue ?? "killed", default: 0] += 1
    }

    var description: String {
        func words(_ counts: [String: Int]) -> String {
            counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        }
        return "plain: \(words(plain)); with checksums: \(words(checked))"
    }
}
