// The outcomes of a damaged file, and of all damaged files.

import DamageWorker

/// The outcomes of readers and of the verifier for a file; nil if the file killed the process.
struct FileOutcomes: CustomStringConvertible {
    var plain: Outcome?
    var checked: Outcome?
    var guarded: Outcome?
    var verified: Outcome?
    var salvaged: Outcome?

    /// Reads, verifies and salvages a file, the last in one of two ways.
    init(_ path: String, _ reader: DamagedFileReader, salvaging way: Reading) throws {
        plain = try reader.outcome(of: .plain, path)
        checked = try reader.outcome(of: .checked, path)
        guarded = try reader.outcome(of: .guarded, path)
        verified = try reader.outcome(of: .verified, path)
        salvaged = try reader.outcome(of: way, path)
    }

    /// The promises violated by the outcomes.
    var violations: [String] {
        var violations: [String] = []
        let all = [plain, checked, guarded, verified, salvaged]
        if all.contains(.untyped) { violations.append("the error is none of the store's") }
        if guarded == nil { violations.append("a reader of verified pages was killed") }
        if checked == .wrong || guarded == .wrong {
            violations.append("a record with a wrong content has passed its checksum")
        }
        if verified == nil { violations.append("the verifier was killed") }
        if verified == .right, all.contains(where: { $0 != .right }) {
            violations.append("the verifier has found nothing, and readers do")
        }
        if salvaged == nil { violations.append("the salvager was killed") }
        if salvaged == .wrong { violations.append("a record was salvaged that was never written") }
        return violations
    }

    var description: String {
        "plain \(words(plain)), with checksums \(words(checked)), after a verification \(words(guarded)), "
            + "verified \(words(verified)), salvaged \(words(salvaged))"
    }
}

private func words(_ outcome: Outcome?) -> String { outcome?.rawValue ?? "killed" }

/// The number of files for each outcome.
struct DamageSummary: CustomStringConvertible {
    private var counts: [String: [String: Int]] = [:]
    private(set) var files = 0
    /// The number of files that killed a reader without an earlier verification.
    private(set) var killers = 0

    mutating func add(_ outcomes: FileOutcomes) {
        files += 1
        counts["plain", default: [:]][words(outcomes.plain), default: 0] += 1
        counts["with checksums", default: [:]][words(outcomes.checked), default: 0] += 1
        counts["after a verification", default: [:]][words(outcomes.guarded), default: 0] += 1
        counts["salvaged", default: [:]][words(outcomes.salvaged), default: 0] += 1
        counts["verified", default: [:]][words(outcomes.verified), default: 0] += 1
        if outcomes.plain == nil || outcomes.checked == nil { killers += 1 }
    }

    var description: String {
        let readings = counts.sorted { $0.key < $1.key }.map { reading, counts in
            let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            return "\(reading): \(words.joined(separator: ", "))"
        }
        return "\(files); " + readings.joined(separator: "; ")
    }
}
