/// Pixels in borrowed memory, three bytes each, to be scaled from there.
struct PixelArea {
    let size: PixelSize
    let samples: UnsafeRawBufferPointer

    /// Scales the pixels. Each pixel of the result is the average of the area that it covers, fractions of pixels
    /// included, so that nothing flickers or gets lost at any factor.
    /// - Returns: nil when cancelled, or when a size is wrong.
    func scaled(to target: PixelSize, isCancelled: () -> Bool = { false }) -> Bitmap? {
        guard size.width > 0, size.height > 0, target.width > 0, target.height > 0,
            samples.count >= 3 * size.width * size.height
        else { return nil }
        let columns = Self.shares(of: size.width, among: target.width)
        var output: [UInt8] = []
        output.reserveCapacity(3 * target.width * target.height)
        var sums = [Float](repeating: 0, count: 3 * size.width)
        for share in Self.shares(of: size.height, among: target.height) {
            if isCancelled() { return nil }
            addRows(share, to: &sums)
            Self.appendRow(sums, columns, to: &output)
        }
        return Bitmap(size: target, samples: output)
    }

    /// The pixels of a side that one target pixel covers: the first, the last and the fractions of these two.
    private struct Share {
        var first: Int
        var last: Int
        var ofFirst: Float
        var ofLast: Float

        func weight(_ index: Int) -> Float { index == first ? ofFirst : index == last ? ofLast : 1 }
    }

    /// Returns one share for each part. Its weights add up to `count / parts`, by which sums are divided.
    private static func shares(of count: Int, among parts: Int) -> [Share] {
        let length = Double(count) / Double(parts)
        return (0..<parts).map { part in
            let (start, end) = (Double(part) * length, min(Double(count), Double(part + 1) * length))
            let first = min(count - 1, Int(start))
            let last = max(first, min(count - 1, Int(end.rounded(.up)) - 1))
            let ofFirst = min(end, Double(first + 1)) - start
            return Share(first: first, last: last, ofFirst: Float(ofFirst), ofLast: Float(end - Double(last)))
        }
    }

    /// Averages some rows, column by column.
    private func addRows(_ share: Share, to sums: inout [Float]) {
        let count = sums.count
        sums.withUnsafeMutableBufferPointer { sums in
            sums.update(repeating: 0)
            var total: Float = 0
            for row in share.first...share.last {
                let weight = share.weight(row)
                total += weight
                let start = row * count
                for index in 0..<count { sums[index] += weight * Float(samples[start + index]) }
            }
            let factor = 1 / max(total, .leastNormalMagnitude)
            for index in 0..<count { sums[index] *= factor }
        }
    }

    private static func appendRow(_ row: [Float], _ columns: [Share], to output: inout [UInt8]) {
        row.withUnsafeBufferPointer { row in
            for share in columns {
                var (red, green, blue, total) = (Float(0), Float(0), Float(0), Float(0))
                for column in share.first...share.last {
                    let weight = share.weight(column)
                    total += weight
                    red += weight * row[3 * column]
                    green += weight * row[3 * column + 1]
                    blue += weight * row[3 * column + 2]
                }
                let factor = 1 / max(total, .leastNormalMagnitude)
                for sum in [red, green, blue] { output.append(UInt8(min(255, max(0, (sum * factor).rounded())))) }
            }
        }
    }
}
