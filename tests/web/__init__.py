"""Tests of the page; a package so that its fixtures have a name of their own."""
