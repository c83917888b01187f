// Changes of records: with the option alone, after a confirmation, with the indexes.

#if Inspector
import Foundation
import HTTPTypes
import Hummingbird
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

@IndexKeyRecord("id")
struct Member: Hashable, Sendable {
    #Index<Member>(\.age)
    #Unique<Member>(\.email, collisions: .throw)
    #Index<Member>(\.note, where: { $0.age > 10 })

    let id: Int
    var email: String
    var age: Int
    var note: String?
    var isActive: Bool
    var code: Data
    var score: Double
}

@IndexKeyRecord("id")
struct Visitor: Hashable, Sendable {
    #Index<Visitor>(\.age)
    #Unique<Visitor>(\.email, collisions: .throw)

    let id: Int
    var email: String
    var age: Int
    var note: String?
    var isActive: Bool
    var code: Data
    var score: Double

    init(id: Int) {
        self.id = id
        (email, age, note, isActive) = ("v\(id)@example.com", 20 + id, nil, true)
        (code, score) = (Data([1, 2]), 1.5)
    }
}

@Suite struct WriteTests {
    private let directory: TemporaryDirectory
    private let path: String
    private static let type = "TroveInspectorTests.Visitor"
    private static let record = "/record/\(type)/0x8000000000000001"

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("a.trove")
        let store = try Store(path: path, records: [Visitor.self, Member.self, Person.self])
        try store.insert(contentsOf: (1...3).map { Visitor(id: $0) })
        try store.insert(
            Member(id: 1, email: "m", age: 20, note: "x", isActive: true, code: Data(), score: 0))
        try Person(id: 1, name: "Ann").save(to: store)
    }

    /// Opens the store as the command does, without a list of types. This process knows the types nevertheless, so that
    /// their code writes; the tests of the browser have a process of the command, which writes by the layout.
    private func open() throws -> Store { try SampleStore.open(path, StoreOptions()) }

    /// Sets a field through its pages, and returns the last answer.
    private func set(
        _ field: String, to value: String?, of record: String = record, on site: TestSite
    ) async throws -> TestResponse {
        let address = record + "/set"
        var form = try await site.page(address + "?field=\(field)").sentFields()
        form["value"] = value ?? ""
        if value == nil { form["nil"] = "1" }
        let shown = try await site.send(form: form, to: address)
        guard shown.status == .ok else { return shown }
        #expect(try shown.page().all("pre")[0].text.hasPrefix("UPDATE \""))
        return try await site.send(form: shown.page().sentFields(), to: address)
    }

    private func visitor(_ id: Int, in store: Store) async throws -> Visitor? {
        try await store.read { try Visitor.query(id: id).first(in: $0) }
    }

    private func expectSound(_ store: Store) async throws {
        let differences = try await store.read { context in
            try context.storedTypes().flatMap { try context.checkStoredIndexes(of: $0).differences }
        }
        #expect(differences.isEmpty)
    }

    // MARK: Refusals

    @Test func withoutTheOption_nothingIsWritten() async throws {
        let store = try open()
        let site = TestSite(.success(store), path: path)
        let page = try await site.page(Self.record)
        #expect(page.element(id: "changes") == nil && page.all("form").isEmpty)
        for address in [Self.record + "/delete", Self.record + "/set?field=age"] {
            #expect(try await site.page(address, status: .forbidden).text.contains("only reads"))
            let form = ["field": "age", "value": "1", "confirmed": "1", "seen": "0"]
            #expect(try await site.send(form: form, to: address).status == .notFound)
        }
        #expect(try await visitor(1, in: store) == Visitor(id: 1))
    }

    @Test func aStoreThatIsOpenForReads_refuses() async throws {
        let store = try SampleStore.open(path, StoreOptions(isReadOnly: true))
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        let form = try await site.page(Self.record + "/delete").sentFields()
        let answer = try await site.send(form: form, to: Self.record + "/delete")
        #expect(answer.status == .conflict)
        #expect(try answer.page().all(class: "error").count == 1)
        #expect(try await visitor(1, in: store) == Visitor(id: 1))
    }

    @Test func aFormOfAnotherPage_isRefused() async throws {
        let store = try open()
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        let address = Self.record + "/delete"
        let form = try await site.page(address).sentFields()
        let body = [form.map { "\($0)=\($1)" }.joined(separator: "&")]
        let origin: HTTPFields = [.origin: TestSite.origin]
        let fetchSite = try #require(HTTPField.Name("Sec-Fetch-Site"))
        for response in [
            try await site.send(.post, address, body: body),
            try await site.send(.post, address, headers: [.origin: "http://evil.example"], body: body),
            try await site.send(.post, address, headers: [.origin: "null"], body: body),
            try await site.send(.post, address, cookie: "", headers: origin, body: body),
            try await site.send(
                .post, address, headers: [.origin: TestSite.origin, fetchSite: "cross-site"], body: body),
            try await site.send(.post, address, host: "evil.example:4173", headers: origin, body: body),
            try await site.send(form: form, to: address, token: ""),
            try await site.send(form: form, to: address, token: site.site.token.text),
            try await site.send(.post, address, headers: origin, body: ["seen=\(form["seen"] ?? "")"]),
        ] { #expect(response.status == .forbidden) }
        // A read never writes, whatever its query.
        let query = "?confirmed=1&" + body[0]
        #expect(try await site.send(.get, address + query).status == .ok)
        for method in [HTTPRequest.Method.put, .delete, .patch] {
            #expect(try await site.send(method, address, headers: origin, body: body).status == .notFound)
        }
        #expect(try await visitor(1, in: store) == Visitor(id: 1))
        // The same form is good in its place.
        #expect(try await site.send(form: form, to: address).status == .seeOther)
        #expect(try await visitor(1, in: store) == nil)
    }

    // MARK: Changes

    @Test func aRecord_isDeletedAfterItsConfirmation() async throws {
        let store = try open()
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        let page = try await site.page(Self.record)
        let link = try #require(page.links.first { $0.hasSuffix("/delete") })
        let confirmation = try await site.page(link)
        let statement = "DELETE FROM \"\(Self.type)\" WHERE _key = x'8000000000000001'"
        #expect(confirmation.all("pre").map(\.text) == [statement])
        #expect(confirmation.element(id: "command")?.text.hasPrefix("trove sql ") == true)
        #expect(try await visitor(1, in: store) != nil)
        let answer = try await site.send(form: confirmation.sentFields(), to: link)
        #expect(answer.status == .seeOther && answer.headers[.location] == "/type/\(Self.type)")
        #expect(try await visitor(1, in: store) == nil)
        #expect(try await site.page("/type/\(Self.type)").text.contains("2 records"))
        // The second time, the record is not there.
        #expect(try await site.send(form: confirmation.sentFields(), to: link).status == .notFound)
        try await expectSound(store)
    }

    @Test(arguments: [
        ("age", "77"), ("email", "new@example.com"), ("email", "a'b\"; DROP TABLE Visitor; --"), ("note", "two\nlines"),
        ("note", "<script>alert(1)</script>\u{202E}"), ("note", ""), ("isActive", "false"), ("code", "00ff"),
        ("score", "-2.25"), ("score", "1e3"),
    ])
    func aField_isSet(_ field: String, _ value: String) async throws {
        let store = try open()
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        let answer = try await set(field, to: value, on: site)
        #expect(answer.status == .seeOther && answer.headers[.location] == Self.record, "\(answer.body)")
        var expected = Visitor(id: 1)
        switch field {
        case "age": expected.age = Int(value) ?? 0
        case "email": expected.email = value
        case "note": expected.note = value
        case "isActive": expected.isActive = false
        case "code": expected.code = Data([0, 255])
        default: expected.score = Double(value) ?? 0
        }
        #expect(try await visitor(1, in: store) == expected)
        #expect(try await visitor(2, in: store) == Visitor(id: 2))
        try await expectSound(store)
        // The form shows what is stored.
        let shown = try await site.page(Self.record + "/set?field=\(field)").sentFields()["value"]
        if field == "score" {
            #expect(shown.flatMap { Double($0.dropFirst()) } == expected.score)
        } else {
            #expect(shown == "\n" + value)
        }
    }

    @Test func nil_isSet() async throws {
        let store = try open()
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        #expect(try await set("note", to: "x", on: site).status == .seeOther)
        #expect(try await visitor(1, in: store)?.note == "x")
        #expect(try await set("note", to: nil, on: site).status == .seeOther)
        #expect(try await visitor(1, in: store)?.note == nil)
    }

    @Test(arguments: [
        ("age", "old", "expected an integer"), ("age", "1.5", "expected an integer"),
        ("age", "", "expected an integer"),
        ("age", "99999999999999999999", "expected an integer"), ("isActive", "yes", "true or false"),
        ("code", "0x", "hexadecimal"), ("code", "abc", "hexadecimal"), ("score", "<b>", "expected a number"),
        ("email", "v2@example.com", "unique"),
    ])
    func aWrongValue_isASentence_andStaysTyped(_ field: String, _ value: String, _ words: String) async throws {
        let store = try open()
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        let answer = try await set(field, to: value, on: site)
        #expect(answer.status == .conflict)
        let page = try answer.page()
        let error = try #require(page.all(class: "error").first?.text)
        #expect(error.lowercased().contains(words), "\(error)")
        #expect(try page.sentFields()["value"] == "\n" + value)
        #expect(try await visitor(1, in: store) == Visitor(id: 1))
        try await expectSound(store)
    }

    /// The program's own store writes by the code of its types.
    @Test func theStoreOfAProgram_isWrittenByItsCode() async throws {
        let store = try await Store(path: path, records: [Visitor.self, Member.self, Person.self])
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        let member = "/record/TroveInspectorTests.Member/0x8000000000000001"
        #expect(try await set("age", to: "5", of: member, on: site).status == .seeOther)
        let stored = try await store.read { try Member.query(id: 1).first(in: $0) }
        #expect(stored?.age == 5)
        let differences = try await store.check()
        #expect(differences.isEmpty)
    }

    @Test func aRecordThatHasChangedMeanwhile_isKept() async throws {
        let store = try open()
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        let form = try await site.page(Self.record + "/delete").sentFields()
        #expect(try await set("age", to: "50", on: site).status == .seeOther)
        let answer = try await site.send(form: form, to: Self.record + "/delete")
        #expect(answer.status == .conflict && answer.body.contains("was changed meanwhile"))
        for seen in ["", "0", "zz"] {
            let form = ["field": "age", "value": "1", "confirmed": "1", "seen": seen]
            #expect(try await site.send(form: form, to: Self.record + "/set").status == .conflict)
        }
        #expect(try await visitor(1, in: store)?.age == 50)
    }

    @Test func otherFieldsAndNames_areNotFound() async throws {
        let store = try open()
        let site = TestSite(.success(store), path: path, allowsWrites: true)
        for field in ["id", "", "none", "_key", "age\" = 1, \"score"] {
            let address = Address("record", Self.type, "0x8000000000000001", "set").with("field", field).text
            _ = try await site.page(address, status: .notFound)
            let form = ["field": field, "value": "1", "confirmed": "1"]
            #expect(try await site.send(form: form, to: Self.record + "/set").status == .notFound)
        }
        for path in ["/record/None/0x00/set?field=a", "/record/\(Self.type)/0x80/delete"] {
            _ = try await site.page(path, status: .notFound)
        }
        #expect(try await site.send(form: [:], to: "/record/\(Self.type)/0x80/set").status == .notFound)
        #expect(try await visitor(1, in: store) == Visitor(id: 1))
    }

    /// Names of a store are quoted in statements, and a value that a form would change is not in it.
    @Test func hostileNamesAndTexts_areWritten() async throws {
        let names = ["Module.A\"; DROP TABLE x; --", "Module.<b>", "Module.it's"]
        let texts = ["plain", "\u{1B}[31m\r\n", String(repeating: "x", count: 30_000)]
        let store = try SampleStore.named(names, texts: texts)
        let site = TestSite(store, allowsWrites: true)
        for name in names {
            let record = Address("record", name, "0x8000000000000000").text
            #expect(try await set("text", to: "it's \"new\" <b>", of: record, on: site).status == .seeOther)
            #expect(try await site.page(record).text.contains("it's \"new\" <b>"))
            for id in 1...2 {
                let page = try await site.page(
                    Address("record", name, "0x800000000000000\(id)", "set").with("field", "text").text)
                #expect(try page.sentFields()["value"] == "\n" && page.all(class: "hint").count == 1)
            }
            let gone = Address("record", name, "0x8000000000000001", "delete").text
            #expect(try await site.send(form: site.page(gone).sentFields(), to: gone).status == .seeOther)
            #expect(try await site.page("/" + Address("type", name).text.dropFirst()).text.contains("2 records"))
        }
    }
}
#endif
