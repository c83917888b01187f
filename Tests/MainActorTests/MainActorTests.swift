// The macros in a module whose declarations belong to the main actor by default: their code compiles there, and runs
// on other threads.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("A module of the main actor")
struct MainActorTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("store.trove")
    }

    private func job(_ id: UInt8, _ title: String, _ priority: Priority = .low, owner: String? = nil) -> Job {
        let id = UUID(uuid: (id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return Job(
            priority: priority, id: id, title: title, note: Note(text: title),
            place: .room(number: 7, note: Note(text: "quiet")), owner: owner)
    }

    @Test func records_areWrittenAndRead_onOtherThreads() async throws {
        let store = try await Store(path: path, records: [Job.self])
        let jobs = [job(1, "wash"), job(2, "dry"), job(3, "iron", .high)]
        try await store.write { context in try context.insert(contentsOf: jobs) }
        let found = try await store.read { context in try Job.select(in: context, priority: .low) }
        #expect(found == Array(jobs.prefix(2)))
        let one = try await store.read { context in try Job.get(in: context, priority: .high, id: jobs[2].id) }
        #expect(one == jobs[2])
    }

    @Test func fieldsForCloudKit_areUsedOnOtherThreads() async {
        @concurrent func name(_ type: (some CloudKitRecord).Type) async -> String { type.ckRecordType }
        #expect(await name(Job.self) == "Job")
    }

    @Test func queries_useTheIndexes() async throws {
        let store = try await Store(path: path, records: [Job.self, Library.Book.self])
        let jobs = [job(1, "wash"), job(2, "dry"), job(3, "iron", .high)]
        try await store.write { context in
            try context.insert(contentsOf: jobs)
            try context.insert(Library.Book(genre: .crime, number: 1))
        }
        let titles = try await store.read { context in
            try Job.filter(\.color == .red).sorted(by: \.title.desc).resolve(in: context).map(\.title)
        }
        #expect(titles == ["wash", "iron", "dry"])
        let shelved = try await store.read { context in
            try Library.Book.filter(\.shelf == 1).resolve(in: context)
        }
        #expect(shelved == [Library.Book(genre: .crime, number: 1)])
        #expect(
            try await store.read { context in try Job.filter(\.length == standardLength()).count(in: context) } == 3)
    }

    @Test func uniqueValues_haveTheirRules() async throws {
        let store = try await Store(path: path, records: [Job.self])
        let first = job(1, "wash", owner: "Ruby")
        let better = job(2, "wash", .high)
        let rival = job(3, "dry", owner: "Ruby")
        try await store.write { context in
            try context.insert(first)
            #expect(throws: StoreError.self) { try context.insert(rival) }
            try context.insert(better)
        }
        #expect(try await store.read { context in try Job.query().resolve(in: context) } == [better])
    }

    @Test func renamedAndNewProperties_keepTheRecords() async throws {
        do {
            let store = try await Store(path: path, records: [OldContact.self])
            try await store.write { context in try context.insert(OldContact(id: 1, name: "Leeloo")) }
            // The thread that ran the write can hold the store a moment longer.
            try await store.close()
        }
        let store = try await Store(path: path, records: [Contact.self])
        let contacts = try await store.read { context in try Contact.query().resolve(in: context) }
        #expect(contacts == [Contact(id: 1, fullName: "Leeloo")])
    }

    @Test func customMigrations_run() async throws {
        do {
            let store = try await Store(path: path, records: [OldVisit.self])
            try await store.write { context in try context.insert(OldVisit(id: 1, seconds: 300)) }
            try await store.close()
        }
        let store = try await Store(path: path, records: [Visit.self])
        let visits = try await store.read { context in try Visit.query().resolve(in: context) }
        #expect(visits == [Visit(id: 1, minutes: Minutes(rawValue: 5))])
    }
}
