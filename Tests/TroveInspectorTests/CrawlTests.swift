// A crawler follows each link of a store with relations: all lead to pages that exist.

#if Inspector
import Testing
import Trove

@testable import TroveInspector

struct CrawlTests {
    @Test func links_leadToPagesThatExist() async throws {
        let store = try SampleStore.full(users: 60)
        let site = TestSite(store)
        let wrong = try await Crawler(site).visit(from: "/", limit: 2_000)
        #expect(wrong.pages > 150)
        #expect(wrong.failures == [])
    }
}

/// A crawler of the pages.
struct Crawler {
    private let site: TestSite

    init(_ site: TestSite) { self.site = site }

    /// Follows all links from a page. Returns the number of pages, and those that do not exist or are not valid.
    func visit(from start: String, limit: Int) async throws -> (pages: Int, failures: [String]) {
        var (seen, waiting): (Set<String>, [String]) = ([start], [start])
        var (pages, failures): (Int, [String]) = (0, [])
        while let path = waiting.popLast(), pages < limit {
            pages += 1
            let response = try await site.send(.get, path)
            guard response.status == .ok else {
                failures.append("\(path): \(response.status)")
                continue
            }
            guard response.headers[.contentType]?.hasPrefix("text/html") == true else { continue }
            do {
                let page = try response.page()
                if !page.all(class: "error").isEmpty { failures.append("\(path): \(page.all(class: "error")[0].text)") }
                let resources = page.all.compactMap { element in
                    element.name == "link" ? element.attributes["href"] : element.attributes["src"]
                }
                for link in page.links + resources where !link.hasPrefix("#") {
                    if seen.insert(link).inserted { waiting.append(link) }
                }
                for place in page.links where place.hasPrefix("#") && page.element(id: String(place.dropFirst())) == nil
                {
                    failures.append("\(path): \(place)")
                }
            } catch {
                failures.append("\(path): \(error)")
            }
        }
        return (pages, failures)
    }
}
#endif
