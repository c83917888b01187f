// Treemaps: their areas, and that nothing overlaps.

#if Inspector
import Testing
import TroveTestSupport

@testable import TroveInspector

@Suite struct TreemapTests {
    @Test(arguments: 0..<20) func theAreasAreThoseOfTheNumbers_andFillTheWhole(_ round: Int) {
        let seed = UInt64(2_718 + round)
        var random = SeededGenerator(seed: seed)
        let numbers = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            Int.random(in: 1...10_000, using: &random)
        }.sorted(by: >)
        let whole = Treemap.Rectangle(x: 10, y: 20, width: 900, height: 300)
        let rectangles = Treemap.rectangles(numbers, in: whole)
        #expect(rectangles.count == numbers.count, "seed \(seed)")
        let sum = Double(numbers.reduce(0, +))
        for (number, rectangle) in zip(numbers, rectangles) {
            #expect(abs(rectangle.area - Double(number) / sum * whole.area) < 0.01, "seed \(seed)")
            #expect(rectangle.x >= 10 - 1e-6 && rectangle.x + rectangle.width <= 910 + 1e-6, "seed \(seed)")
            #expect(rectangle.y >= 20 - 1e-6 && rectangle.y + rectangle.height <= 320 + 1e-6, "seed \(seed)")
        }
        for (place, one) in rectangles.enumerated() {
            for other in rectangles[(place + 1)...] {
                let width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
                let height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
                #expect(width < 1e-6 || height < 1e-6, "seed \(seed): \(one) and \(other)")
            }
        }
    }

    @Test func equalNumbersAreNearlySquare() {
        let rectangles = Treemap.rectangles(
            [Int](repeating: 5, count: 12), in: Treemap.Rectangle(x: 0, y: 0, width: 400, height: 300))
        for rectangle in rectangles {
            let ratio = max(rectangle.width / rectangle.height, rectangle.height / rectangle.width)
            #expect(ratio < 1.5)
        }
    }

    @Test func nothing_hasNoRectangles() {
        let whole = Treemap.Rectangle(x: 0, y: 0, width: 4, height: 3)
        #expect(Treemap.rectangles([], in: whole).isEmpty)
        #expect(Treemap.rectangles([1], in: whole) == [whole])
    }
}
#endif
