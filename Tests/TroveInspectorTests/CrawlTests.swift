// A crawler follows each link of a store with relations: all lead to pages that exist.

#if Inspector
import HTTPTypes
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

struct CrawlTests {
    @Test func links_leadToPagesThatExist() async throws {
        let directory = try TemporaryDirectory()
        let store = try SampleStore.full(
            users: 60, at: directory.path("a.trove"), options: StoreOptions(history: .keep()))
        let site = TestSite(.success(store), path: store.path)
        let wrong = try await Crawler(site).visit(from: "/", limit: 400)
        #expect(wrong.pages > 150)
        #expect(wrong.failures == [])
        let named = Routes.pages.filter { $0.navigationName != nil }.map { $0.path }
        #expect(named.filter { !wrong.visited.contains($0) } == [])
        #expect(wrong.visited.contains { $0.hasPrefix("/history/") })
        #expect(wrong.visited.contains { $0.hasPrefix("/health?verify=") })
        #expect(wrong.visited.contains { $0.hasPrefix("/health?check=") })
    }
}

/// A crawler of the pages.
struct Crawler {
    private let site: TestSite

    init(_ site: TestSite) { self.site = site }

    /// Follows the links from a page, the nearest first, but for those with `nofollow`. Returns the number of pages,
    /// their addresses, and what is wrong with those that do not exist or are not valid.
    func visit(from start: String, limit: Int) async throws -> (
        pages: Int, visited: Set<String>, failures: [String]
    ) {
        var (seen, waiting): (Set<String>, ArraySlice<String>) = ([start], [start])
        var (pages, visited, failures): (Int, Set<String>, [String]) = (0, [], [])
        while let path = waiting.popFirst(), pages < limit {
            pages += 1
            visited.insert(path)
            var response = try await site.send(.get, path)
            // The result of a walk follows its progress.
            while let refresh = HTTPField.Name("Refresh"), response.headers[refresh] != nil {
                response = try await site.send(.get, path)
            }
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
                for link in page.followedLinks + resources where !link.hasPrefix("#") {
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
        return (pages, visited, failures)
    }
}
#endif
