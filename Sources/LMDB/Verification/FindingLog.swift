// The findings of a verification.

/// The findings of a verification: the first findings in full, and the number of the others.
struct FindingLog {
    /// The maximum number of findings kept. It limits the memory for an entirely damaged file.
    static let most = 1000

    private(set) var findings: [FileFinding] = []
    private(set) var omitted = 0
    private(set) var damages = 0

    mutating func note(_ finding: FileFinding) {
        if finding.isDamage { damages += 1 }
        if findings.count < Self.most { findings.append(finding) } else { omitted += 1 }
    }
}
