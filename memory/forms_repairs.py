"""What a repair asks for."""

from __future__ import annotations

from django import forms


class RepairForm(forms.Form):
    """Which chunk a link shall name; only some repairs ask."""

    chunk = forms.IntegerField(
        label="Chunk",
        required=False,
        min_value=0,
        max_value=10**9,
        widget=forms.NumberInput(attrs={"class": "form-control confirm-number"}),
        help_text="The newest chunk it covers; 0 for none.",
    )

    def number(self) -> int | None:
        """The chunk, if one was typed well."""
        value: int | None = self.cleaned_data.get("chunk") if self.is_valid() else None
        return value
