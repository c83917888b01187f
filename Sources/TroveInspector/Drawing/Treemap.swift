// A treemap: rectangles with the areas of numbers.
//
// M. Bruls, K. Huizing, J. J. van Wijk: Squarified Treemaps, 2000.

#if Inspector
/// A treemap: rectangles with areas in proportion to numbers, as square as a row of them can be.
enum Treemap {
    /// A rectangle.
    struct Rectangle: Equatable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        var area: Double { width * height }
    }

    /// Returns a rectangle for each number.
    ///
    /// - Parameters:
    ///   - numbers: Positive numbers in descending order.
    ///   - whole: The rectangle to divide.
    /// - Complexity: O(*n*) for rows of constant length.
    static func rectangles(_ numbers: [Int], in whole: Rectangle) -> [Rectangle] {
        let sum = numbers.reduce(0.0) { $0 + Double($1) }
        guard sum > 0, whole.area > 0 else { return [] }
        let areas = numbers.map { Double($0) / sum * whole.area }
        var (rectangles, rest): ([Rectangle], Rectangle) = ([], whole)
        var row: [Double] = []
        for area in areas {
            let side = min(rest.width, rest.height)
            if row.isEmpty || worstRatio(row + [area], side) <= worstRatio(row, side) {
                row.append(area)
            } else {
                rectangles += place(row, &rest)
                row = [area]
            }
        }
        return rectangles + place(row, &rest)
    }

    /// Returns the greatest ratio of the sides of the rectangles in a row.
    private static func worstRatio(_ row: [Double], _ side: Double) -> Double {
        guard let least = row.min(), let greatest = row.max() else { return .infinity }
        let sum = row.reduce(0, +)
        let square = (sum * sum) / (side * side)
        return max(greatest / square, square / least)
    }

    /// Returns the rectangles of a row at the shorter side of a rectangle, which loses its place.
    private static func place(_ row: [Double], _ rest: inout Rectangle) -> [Rectangle] {
        let sum = row.reduce(0, +)
        guard sum > 0 else { return [] }
        var placed: [Rectangle] = []
        if rest.width >= rest.height {
            let width = sum / rest.height
            var y = rest.y
            for area in row {
                placed.append(Rectangle(x: rest.x, y: y, width: width, height: area / width))
                y += area / width
            }
            rest.x += width
            rest.width -= width
        } else {
            let height = sum / rest.width
            var x = rest.x
            for area in row {
                placed.append(Rectangle(x: x, y: rest.y, width: area / height, height: height))
                x += area / height
            }
            rest.y += height
            rest.height -= height
        }
        return placed
    }
}
#endif
