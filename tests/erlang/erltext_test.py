#!/usr/bin/env python3
"""Unit tests of erltext: only large maps are reordered, and nothing else is touched."""

import unittest

from erltext import normalise


def map_text(keys):
    return "#{" + ",".join(f"{k} => x" for k in keys) + "}"


class Normalise(unittest.TestCase):
    def test_small_maps_stay(self):
        text = map_text(range(32, 0, -1))
        self.assertEqual(normalise(text), text)

    def test_large_maps_are_sorted(self):
        keys = [f"{k:03}" for k in range(40)]
        self.assertEqual(normalise(map_text(reversed(keys))), map_text(keys))

    def test_nested(self):
        keys = [f"k{k:03}" for k in range(33)]
        self.assertEqual(normalise("{[" + map_text(reversed(keys)) + "],a}"),
                         "{[" + map_text(keys) + "],a}")

    def test_brackets_in_quotes(self):
        for text in ('{"a,}]",#{b => \'x}\'}}', "[$,,$},#{a => $\\n}]", '<<"#{,">>',
                     '#{"\\"}" => 1}'):
            self.assertEqual(normalise(text), text)


if __name__ == "__main__":
    unittest.main()
