// The plan of a filter while it is typed.

#if Inspector
import HTTPTypes
import Testing
import Trove

@testable import TroveInspector

@Suite struct PlanTests {
    private let site: TestSite
    private static let users = "TroveInspectorTests.User"

    init() throws { site = TestSite(try SampleStore.full()) }

    private func plan(_ filter: String, of type: String = users, on site: TestSite? = nil) async throws -> HTMLElement {
        let response = try await (site ?? self.site).send(.get, PlanPage.address(type).with("filter", filter).text)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        return try StrictHTML.parse(
            """
            <!DOCTYPE html>
            <html lang="en"><head><title>Plan</title></head><body><main><h1>Plan</h1>\(response.body)</main></body></html>

            """)
    }

    @Test func aCondition_hasItsPlanWithoutRows() async throws {
        let part = try await plan("age > 115")
        #expect(part.text.contains("each record is tested: age > 115."))
        #expect(part.text.contains("age>?"))
        let statement = "SELECT * FROM \"TroveInspectorTests.User\" WHERE \"age\" > 115"
        #expect(part.links == [SQLPage.address(statement).text])
        #expect(part.all("table").isEmpty && !part.text.contains("User 116"))
        // The page with the rows says the same.
        let page = try await site.page("/type/\(Self.users)?filter=age%20%3E%20115")
        #expect(page.all(class: "plan")[0].all("pre").map(\.text) == part.all("pre").map(\.text))
        #expect(page.element(id: "filter")?.attributes["data-plans"] == PlanPage.address(Self.users).text)
    }

    @Test func words_haveThePlanOfTheirSearch() async throws {
        let part = try await plan("stores", of: "TroveInspectorTests.Article")
        #expect(part.text.contains("Full text") && part.text.contains("MATCH ?"))
    }

    @Test(arguments: ["age > old", "nothing == 1", "home == Paris"])
    func aWrongCondition_isASentence(_ filter: String) async throws {
        let part = try await plan(filter)
        #expect(part.all(class: "error").count == 1 && part.all(class: "plan").isEmpty)
    }

    @Test func hostileFilters_areTexts() async throws {
        for text in ["<script>alert(1)</script>", "name == <b>\"&'", "\u{202E}", "name contains \u{1}", "';--"] {
            let part = try await plan(text)
            #expect(part.all("script").isEmpty && part.all("b").isEmpty)
        }
    }

    @Test func aPlan_isBounded_andBehindTheGuard() async throws {
        let long = "name == " + String(repeating: "<", count: PlanPage.filterLimit)
        #expect(try await plan(long).text.contains("more than 2,000 bytes"))
        let longest = "name == " + String(repeating: "<", count: PlanPage.filterLimit - 8)
        let response = try await site.send(.get, PlanPage.address(Self.users).with("filter", longest).text)
        #expect(response.status == .ok && response.body.utf8.count < 100_000)
        let address = PlanPage.address(Self.users).with("filter", "age > 3").text
        #expect(try await site.send(.get, address, cookie: "").status == .forbidden)
        #expect(try await site.send(.get, address, headers: [.origin: "http://evil.example"]).status == .forbidden)
        _ = try await site.page(PlanPage.address("None").text, status: .notFound)
    }
}
#endif
