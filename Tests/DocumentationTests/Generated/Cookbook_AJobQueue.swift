// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:736
@IndexKeyRecord("id")
private struct Job {
    #Index<Job>(\.kind, \.due)

    let id: Int
    var kind: String
    var due: Date  // from then on it can be claimed
    var attempts: Int = 0
}

// Docs/Cookbook.md:746
extension Job {
    /// Claims the job that has waited longest, for a minute; nil if none is due.
    static func claim(_ kind: String, at now: Date, in store: Store) throws -> Job? {
        try store.write { context in
            let due = filter(\.kind == kind && \.due <= now).sorted(by: \.due)
            guard var job = try due.first(in: context) else { return nil }
            job.due = now + 60
            job.attempts += 1
            try context.insert(job, onConflict: .replace)
            return job
        }
    }

    /// Removes a job that is done. Returns false if the lease had ended, and another worker has claimed the job.
    func finish(in store: Store) throws -> Bool {
        try store.write { context in
            guard try context.get(Job.self, key: id)?.attempts == attempts else { return false }
            return try context.delete(Job.self, key: id)
        }
    }

    /// Lets the job wait before it is claimed again, twice as long after each failure.
    func retry(at now: Date, in store: Store) throws {
        var job = self
        job.due = now + Double(1 << min(attempts, 10))
        try store.insert(job, onConflict: .replace)
    }
}

enum Cookbook_AJobQueue {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:734



        let store = try Store.temporary(records: [Job.self])
        let now = Date(timeIntervalSinceReferenceDate: 0)
        try store.insert(contentsOf: [
            Job(id: 1, kind: "mail", due: now), Job(id: 2, kind: "mail", due: now - 5), Job(id: 3, kind: "scan", due: now),
        ])

        let first = try Job.claim("mail", at: now, in: store)
        let second = try Job.claim("mail", at: now, in: store)
        expectOutput(first?.id ?? 0, second?.id ?? 0, is: #"2 1"#, at: "Docs/Cookbook.md:783")
        expectOutput(try Job.claim("mail", at: now, in: store)?.id ?? 0, is: #"0"#, at: "Docs/Cookbook.md:784")
        expectOutput(try second?.finish(in: store) ?? false, is: #"true"#, at: "Docs/Cookbook.md:785")
        try first?.retry(at: now, in: store)
        expectOutput(try Job.claim("mail", at: now + 1, in: store)?.id ?? 0, is: #"0"#, at: "Docs/Cookbook.md:787")
        expectOutput(try Job.claim("mail", at: now + 2, in: store)?.attempts ?? 0, is: #"2"#, at: "Docs/Cookbook.md:788")
        expectOutput(try first?.finish(in: store) ?? false, is: #"false"#, at: "Docs/Cookbook.md:789")
        _ = store
        _ = now
        _ = first
        _ = second
    }
}
