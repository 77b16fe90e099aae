extension RandomAccessCollection {
    /// Returns the first index whose element passes a test that all elements after it pass as well, by binary search.
    package func partitioningIndex(where passes: (Element) -> Bool) -> Index {
        var low = startIndex
        var length = count
        while length > 0 {
            let half = length / 2
            let middle = index(low, offsetBy: half)
            if passes(self[middle]) {
                length = half
            } else {
                low = index(after: middle)
                length -= half + 1
            }
        }
        return low
    }
}
